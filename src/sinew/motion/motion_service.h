// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/base/time.h"
#include "sinew/messages/joints.h"
#include "sinew/messages/requests.h"
#include "sinew/messages/safety.h"
#include "sinew/messages/world.h"
#include "sinew/motion/arm_solver.h"
#include "sinew/motion/robot_view.h"
#include "sinew/motion/route_finder.h"
#include "sinew/motion/straight_way.h"
#include "sinew/motion/world_reader.h"
#include "sinew/trajectory/playback.h"

namespace sinew {

struct MotionSettings {
  double margin = 0.01;                           ///< [m] What the controller's guard keeps.
  MeshPoints mesh_points{};                       ///< Without it, no mesh has a shape.
  double tolerance = 1e-3;                        ///< [rad, m] A joint this near to its goal has arrived.
  double rough_tolerance = 1e-2;                  ///< [rad, m] And this near when it gets no nearer.
  std::int64_t ahead_ns = 250 * kMillisecond_ns;  ///< How far ahead of time segments are sent.
  std::int64_t settle_ns = 2 * kSecond_ns;        ///< For the joints to arrive after the last reference.
  std::int64_t patience_ns = 10 * kSecond_ns;     ///< For joints that others move to come to rest.
};

/// What others must be told.
struct MotionOutput {
  std::vector<Reply> replies;
  std::vector<Segment> segments;            ///< For `segments`, in order.
  std::optional<JointReference> reference;  ///< For `ref/motion`: joints that creep shall stand still.
  bool has_new_world = false;               ///< MotionService::world() has changed.
};

/// Answers requests and carries them out: solves for arms, looks for a way that touches nothing, and sends
/// the joints along it, in step and straight from stop to stop. Arms move at the same time; a request for
/// joints that are on their way brakes them first.
///
/// Takes values and gives values; knows no channel and no clock. One thread.
class MotionService {
 public:
  /// `model` must outlive it.
  static Result<std::unique_ptr<MotionService>> make(const RobotModel& model,
                                                     const MotionSettings& settings = {});

  void take_state(const JointState& state) { robot_.take(state); }
  void take_command(const JointCommand& command) { robot_.take(command); }
  void take_safety(const Safety& safety, std::int64_t now_ns);
  /// The world as it was when this service began; refuses one that cannot be understood.
  Status take_world(const World& world);

  /// Request number `number`; the answer comes with the next step().
  void take_request(std::uint64_t number, const Request& request, std::int64_t now_ns);
  /// A request that an earlier service has left open.
  void abort_open(std::uint64_t number, std::int64_t now_ns);
  /// A request that was overwritten before it could be read.
  void refuse_lost(std::uint64_t number, std::int64_t now_ns);

  /// Carries on with what is being done. The output lives until the next call.
  const MotionOutput& step(std::int64_t now_ns);

  const World& world() const noexcept { return *world_; }
  /// Requests not taken since the start.
  std::uint64_t refusals() const noexcept { return refusals_; }
  /// Whether something is being done, so that step() is wanted often.
  bool is_busy() const noexcept { return !motions_.empty(); }

 private:
  enum class Phase { Waiting, Moving, Settling, Braking };

  /// A request on its way.
  struct Motion {
    std::uint64_t number = 0;
    Request request;
    const ArmSolver* arm = nullptr;  // null: the joints are given
    std::uint64_t joint_mask = 0;
    Phase phase = Phase::Waiting;
    std::int64_t asked_ns = 0;
    bool has_halted = false;    // its joints were told to stand still
    std::int64_t began_ns = 0;  // to move at all
    std::int64_t phase_ns = 0;  // this way, or this phase
    std::vector<Posture> stops;
    std::optional<Trajectory> planned;  // not begun yet
    Playback playback;
    ToolGoal goal;
    std::uint32_t steps = 0;
    bool is_over = false;
  };

  MotionService(const RobotModel& model, const MotionSettings& settings, std::unique_ptr<RouteFinder> routes);

  Result<const ArmSolver*> arm_of(const Request& request);
  Result<Motion> check_move(const Request& request, std::int64_t now_ns);
  Status check_joints(const Request& request) const;
  void take_move(std::uint64_t number, const Request& request, std::int64_t now_ns);
  void take_solve(std::uint64_t number, const Request& request, std::int64_t now_ns);
  void take_stop(std::uint64_t number, const Request& request, std::int64_t now_ns);
  void add_object(std::uint64_t number, const Request& request, std::int64_t now_ns);
  void remove_object(std::uint64_t number, const Request& request, std::int64_t now_ns);
  Status use_world(std::unique_ptr<World> world);
  void refuse(std::uint64_t number, const std::string& why, std::int64_t now_ns);

  bool plan(Motion& motion, std::int64_t now_ns);
  bool find_goals(Motion& motion, RouteTask& task, std::int64_t now_ns);
  Posture posture_of_others(const Motion& motion) const;
  void plan_way(Motion& motion, std::int64_t now_ns);
  bool begin_way(Motion& motion, std::int64_t now_ns);
  void send_ahead(Motion& motion, std::int64_t now_ns);
  bool advance(Motion& motion, std::int64_t now_ns);
  bool wait_for_rest(Motion& motion, std::int64_t now_ns);
  bool move_on(Motion& motion, std::int64_t now_ns);
  bool settle(Motion& motion, std::int64_t now_ns);
  void brake(Motion& motion, std::int64_t now_ns);
  void abort_all(const std::string& why, std::int64_t now_ns);

  Reply& answer(std::uint64_t number, ReplyStatus status, const std::string& words, std::int64_t now_ns);
  Reply& answer(const Motion& motion, ReplyStatus status, const std::string& words, std::int64_t now_ns);

  const RobotModel& model_;
  MotionSettings settings_;
  std::uint64_t enabled_mask_;
  Posture home_;
  std::unique_ptr<RouteFinder> routes_;
  std::unique_ptr<World> world_;
  std::unique_ptr<WorldInUse> world_in_use_;
  std::map<std::pair<std::string, std::string>, std::unique_ptr<ArmSolver>> arms_;
  RobotView robot_;
  std::vector<Motion> motions_;
  std::uint64_t refusals_ = 0;
  MotionOutput output_;
  MotionOutput collected_;  // for the next step()
};

}  // namespace sinew
