// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/control/controller.h"
#include "sinew/control/output_gate.h"
#include "sinew/control/settings.h"
#include "sinew/messages/requests.h"
#include "sinew/motion/motion_service.h"
#include "sinew/motion/program_service.h"
#include "sinew/motion/target_service.h"
#include "sinew/motion/world_reader.h"
#include "sinew/simulation/simulated_driver.h"
#include "sinew/simulation/simulation.h"

#include "apps/motion/motor_service.h"

namespace sinew {

/// Controller, simulator and, once added, the motion service in one process and one thread, on the simulated
/// clock: the same code as in the live system, as fast as it goes, and the same bits every time. For tests,
/// grading and soaks.
class Lockstep {
 public:
  /// Everything in `scene` is simulated; the robot `robot` of it is controlled.
  static Result<std::unique_ptr<Lockstep>> make(Scene scene, const std::string& robot,
                                                const RobotControl& settings);

  /// Adds the motion service; from then on it has its turn every kBetweenMotion_ns. The margin is what the
  /// guard keeps, the world what has been shown.
  Status add_motion(MotionSettings settings = {});
  /// How often the motion service has its turn, as in its own process.
  static constexpr std::int64_t kBetweenMotion_ns = 4 * kMillisecond_ns;

  /// Asks the motion service, which must have been added, in its next turn; answers the request's number.
  std::uint64_t ask(Request request);
  /// A part of a trajectory, for a request to come.
  void put(const TrajectoryPart& part) { motion_->take_part(part); }
  /// A key is held, or was let go.
  void put(const HoldBeat& beat) { motion_->take_beat(beat, now_ns()); }
  /// All that it has answered, in order.
  const std::vector<Reply>& replies() const { return replies_; }
  /// The answer for good to request `number`, once there is one.
  std::optional<Reply> final_reply(std::uint64_t number) const;
  /// Steps until request `number` is answered for good, but no longer than `most_ns` of simulated time.
  std::optional<Reply> wait_for(std::uint64_t number, std::int64_t most_ns = 600 * kSecond_ns);
  /// Must have been added.
  MotionService& motion() { return *motion_; }
  /// What the channel `motion` would tell.
  MotionState motion_state() const;

  /// One cycle: the device is read, the controller decides, the device is told, motion has its turn when it
  /// is due, and time passes.
  const ControlOutput& step();
  /// Its halves: the controller's with motion's, and the world's.
  const ControlOutput& control();
  void pass_time() { simulation_->advance(period_ns_); }

  /// What `source` wants, as if it had been put on its channel.
  void put(std::size_t source, const JointReference& reference) {
    controller_->take_reference(source, reference, now_ns());
  }

  /// Tells the guard of all objects, where they are now: as what a program that sees them would put on
  /// `world`. Refused: what the guard has no shape for.
  Status show_world();
  /// What it was told of last; null: nothing.
  const WorldInUse* shown_world() const { return world_.get(); }

  /// A piece of a planned motion, as if it had been put on `segments`.
  void put(const Segment& piece) { controller_->take_segment(piece); }

  /// Outputs, as if they had been put on `io_command`.
  void put(const IoCommand& command) { static_cast<void>(outputs_->take(command)); }
  /// Inputs and outputs as of the last cycle.
  const IoState& io() const { return io_; }

  std::int64_t now_ns() const { return simulation_->now_ns(); }
  const RobotModel& model() const { return simulation_->scene().robots[robot_].model; }
  const std::string& robot_name() const { return simulation_->scene().robots[robot_].name; }
  const RobotShapes& shapes() const { return *shapes_; }
  Controller& controller() { return *controller_; }
  Simulation& simulation() { return *simulation_; }
  Driver& driver() { return *driver_; }
  /// What the device said in the last cycle.
  const JointState& state() const { return state_; }

 private:
  Lockstep() = default;
  void run_motion(const ControlOutput& output);
  Status tell_guard(const World& world);

  std::unique_ptr<Simulation> simulation_;
  std::size_t robot_ = 0;
  std::unique_ptr<RobotShapes> shapes_;
  std::unique_ptr<SimulatedDriver> driver_;
  std::unique_ptr<Controller> controller_;
  std::unique_ptr<OutputGate> outputs_;
  IoState io_;
  std::int64_t period_ns_ = kMillisecond_ns;
  JointState state_;
  std::unique_ptr<WorldInUse> world_;         ///< What the guard was told of last.
  std::unique_ptr<WorldInUse> world_before_;  ///< In use until the guard has taken the newer one.

  double margin_ = 0.0;                    ///< [m] Of the guard.
  std::unique_ptr<MotionService> motion_;  ///< Null: not added.
  std::unique_ptr<ProgramService> programs_;
  std::unique_ptr<TargetService> targets_;
  std::unique_ptr<MotorService> motors_;
  std::uint64_t last_number_ = 0;
  std::vector<std::pair<std::uint64_t, Request>> asked_;  ///< Since its last turn.
  std::vector<Reply> replies_;
  std::int64_t motion_due_ns_ = 0;
};

}  // namespace sinew
