// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "sinew/base/result.h"
#include "sinew/control/controller.h"
#include "sinew/control/output_gate.h"
#include "sinew/control/settings.h"
#include "sinew/motion/world_reader.h"
#include "sinew/simulation/simulated_driver.h"
#include "sinew/simulation/simulation.h"

namespace sinew {

/// Controller and simulator in one process and one thread, on the simulated clock: the same code as in the
/// live system, as fast as it goes, and the same bits every time. For tests, grading and soaks.
class Lockstep {
 public:
  /// Everything in `scene` is simulated; the robot `robot` of it is controlled.
  static Result<std::unique_ptr<Lockstep>> make(Scene scene, const std::string& robot,
                                                const RobotControl& settings);

  /// One cycle: the device is read, the controller decides, the device is told, and its time passes.
  const ControlOutput& step();
  /// Its two halves: the controller's, and the world's.
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

  std::unique_ptr<Simulation> simulation_;
  std::size_t robot_ = 0;
  std::unique_ptr<RobotShapes> shapes_;
  std::unique_ptr<SimulatedDriver> driver_;
  std::unique_ptr<Controller> controller_;
  std::unique_ptr<OutputGate> outputs_;
  IoState io_;
  std::int64_t period_ns_ = kMillisecond_ns;
  JointState state_;
  std::unique_ptr<WorldInUse> world_;  ///< What the guard was told of last.
};

}  // namespace sinew
