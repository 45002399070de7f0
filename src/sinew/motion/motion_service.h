// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/base/time.h"
#include "sinew/messages/jog.h"
#include "sinew/messages/joints.h"
#include "sinew/messages/motion.h"
#include "sinew/messages/requests.h"
#include "sinew/messages/safety.h"
#include "sinew/messages/world.h"
#include "sinew/motion/arm_solver.h"
#include "sinew/motion/hold_book.h"
#include "sinew/motion/motion_queue.h"
#include "sinew/motion/motion_settings.h"
#include "sinew/motion/ownership.h"
#include "sinew/motion/request_moves.h"
#include "sinew/motion/robot_view.h"
#include "sinew/motion/route_finder.h"
#include "sinew/motion/straight_way.h"
#include "sinew/motion/trajectory_store.h"
#include "sinew/motion/world_reader.h"

namespace sinew {

/// An answer to a step of a program, for the program.
struct StepReply {
  std::uint64_t step = 0;
  Reply reply;
  bool wants_other_way = false;  ///< Something has come into its way, and another may be planned.
};

/// What others must be told.
struct MotionOutput {
  std::vector<Reply> replies;
  std::vector<StepReply> step_replies;      ///< To MotionService::take_step().
  std::vector<Segment> segments;            ///< For `segments`, in order.
  std::optional<JointReference> reference;  ///< For `ref/motion`: joints that creep shall stand still.
  bool has_new_world = false;               ///< MotionService::world() has changed.
};

/// Answers requests and carries them out: solves for arms, looks for a way that touches nothing, and sends
/// the joints along it, in step and straight from stop to stop. Arms move at the same time; a request for
/// joints that are on their way brakes them first, or waits for its turn when it asks to.
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

  /// A part of a trajectory that a request will name.
  void take_part(const TrajectoryPart& part) { trajectories_.take(part); }

  /// A key is held, or was let go: what was asked for with its press goes on, or stands still on its path.
  void take_beat(const HoldBeat& beat, std::int64_t now_ns);
  const HoldBook& holds() const noexcept { return holds_; }
  /// Whether the press that `request` names, if any, is held now.
  Status check_hold(const Request& request, std::int64_t now_ns) const;
  /// Motions of request `number`, and all others of the same press, go on with `press` from now on. False:
  /// there is no such motion in hand.
  bool tie(std::uint64_t number, std::uint64_t press);
  /// Whether something moves on although its key was let go, because it was not told yet: planning must not
  /// keep it waiting.
  bool lets_go(std::int64_t now_ns) const;

  /// Request number `number`; the answer comes with the next step().
  void take_request(std::uint64_t number, const Request& request, std::int64_t now_ns);
  /// A step of a program, whose own request was `number`. `step`, not zero, tells its answers apart, which
  /// come as MotionOutput::step_replies. Of `request`, who, order and stamp count, and for a move that is not
  /// planned yet the rest as well.
  void take_step(std::uint64_t number, std::uint64_t step, const Request& request, std::int64_t now_ns);
  void take_step(std::uint64_t number, std::uint64_t step, const Request& request, PlannedMotion motion,
                 std::int64_t now_ns);
  /// Ends that step: its joints come to rest on their path, and it is answered Aborted with `why`.
  void end_step(std::uint64_t step, const std::string& why, std::int64_t now_ns);
  /// How far that step has come [s], of its time as planned; nothing when it is over.
  std::optional<double> step_time(std::uint64_t step, std::int64_t now_ns) const;
  /// A request that an earlier service has left open. What that has sent may be about to begin: until it has,
  /// nothing else does.
  void abort_open(std::uint64_t number, std::int64_t now_ns);
  /// A request that was overwritten before it could be read.
  void refuse_lost(std::uint64_t number, std::int64_t now_ns);

  /// Carries on with what is being done. The output lives until the next call.
  const MotionOutput& step(std::int64_t now_ns);

  /// While something is planned, by this service or for a program: what is under way goes on, sent further
  /// ahead than usual. For whoever is asked as MotionSettings::interruption; to be published at once.
  std::vector<Segment> send_on(std::int64_t now_ns);

  /// What it is doing, for `motion`; of a program it knows nothing.
  MotionState motion_state(std::int64_t now_ns) const;
  /// Whether `who` is obeyed, or who else is: also for what moves the robot by other ways, such as jogging.
  Status allows(std::string_view who) const { return ownership_.allows(who); }
  /// Who has taken control; empty: nobody.
  const std::string& owner() const { return ownership_.owner(); }
  /// What the controller has last said.
  const RobotView& robot() const noexcept { return robot_; }
  /// Whether a gripper has stopped short of where it was sent.
  bool holds_something() const;
  /// What is free around the robot, in the world as it is now.
  RouteFinder& room() noexcept { return *routes_; }
  /// The joints that motions in hand move, or are about to.
  std::uint64_t moving_mask() const;
  /// The share of its speed at which all that is planned runs; a pause does not change it.
  double override_share() const noexcept { return override_; }
  bool is_paused() const noexcept { return is_paused_; }

  const World& world() const noexcept { return *world_; }
  /// The same as obstacles; they change with the world.
  /// Changes with these.
  std::uint64_t world_number() const noexcept { return world_number_; }
  const Obstacles& obstacles() const noexcept { return world_in_use_ ? world_in_use_->obstacles : kNothing; }
  /// Requests not taken since the start.
  std::uint64_t refusals() const noexcept { return refusals_; }
  /// Whether something is being done, so that step() is wanted often.
  bool is_busy() const noexcept { return !queue_.all().empty(); }

 private:
  using Motion = MotionInHand;
  using Stage = MotionStage;

  MotionService(const RobotModel& model, const MotionSettings& settings, std::unique_ptr<RouteFinder> routes);

  // motion_requests.cc: what is asked
  Result<const ArmSolver*> arm_of(const Request& request);
  Status check_move(Motion& motion, std::int64_t now_ns);
  Status check_given(Motion& motion) const;
  Status check_enabled(std::uint64_t joint_mask) const;
  Status check_order(const Request& request) const;
  Status check_joints(const Request& request) const;
  void take_move(Motion asked, std::int64_t now_ns);
  void take_solve(std::uint64_t number, const Request& request, std::int64_t now_ns);
  void take_stop(std::uint64_t number, const Request& request, std::int64_t now_ns);
  void add_object(std::uint64_t number, const Request& request, std::int64_t now_ns);
  void remove_object(std::uint64_t number, const Request& request, std::int64_t now_ns);
  Status use_world(std::unique_ptr<World> world);
  void replace(const Motion& newer, std::int64_t now_ns);
  void refuse(std::uint64_t number, const std::string& why, std::int64_t now_ns);
  void refuse(Motion& motion, const std::string& why, std::int64_t now_ns);

  // motion_control.cc: who is obeyed, and how fast all runs
  void take_control(std::uint64_t number, const Request& request, std::int64_t now_ns);
  void leave_control(std::uint64_t number, std::int64_t now_ns);
  void pause(std::uint64_t number, std::int64_t now_ns);
  void resume(std::uint64_t number, const Request& request, std::int64_t now_ns);
  void resume_held(std::uint64_t number, const Request& request, std::int64_t now_ns);
  void set_override(std::uint64_t number, const Request& request, std::int64_t now_ns);
  MotionPhase phase(std::int64_t now_ns) const;

  // motion_hold.cc: what goes on only while a key is held
  bool is_held_back(const Motion& motion, std::int64_t now_ns) const;
  void note_lost_presses(std::int64_t now_ns);

  // motion_gripper.cc: fingers, which stop at what they hold
  Status check_gripper(Motion& motion) const;
  bool plan_gripper(Motion& motion, std::int64_t now_ns);
  bool is_behind(const Motion& motion) const;
  bool has_stopped_short(Motion& motion, std::int64_t now_ns) const;
  std::string hold_words(const Motion& motion) const;
  void add_width(const Motion& motion, Reply& reply) const;

  // motion_trajectory.cc: trajectories that others give
  void take_trajectory(std::uint64_t number, const Request& request, std::int64_t now_ns);
  Status check_points(Motion& motion) const;
  bool plan_points(Motion& motion, std::int64_t now_ns);
  bool end_if_strayed(Motion& motion, std::int64_t now_ns);
  bool settle_trajectory(Motion& motion, std::int64_t now_ns);
  double goal_tolerance(const TimedPoints& points, std::size_t joint) const;

  // motion_obstacles.cc: what comes into the way
  void look_at_ways(std::int64_t now_ns);
  void give_way(Motion& motion, const WayConflict& conflict, std::int64_t now_ns);
  double rate_of(const Motion& motion, std::int64_t now_ns) const;
  bool gives_up(Motion& motion, std::int64_t now_ns);
  void plan_again(Motion& motion, std::int64_t now_ns);

  // motion_service.cc: what is done
  bool plan(Motion& motion, std::int64_t now_ns);
  bool use_given(Motion& motion, std::int64_t now_ns);
  bool plan_tool_path(Motion& motion, std::int64_t now_ns);
  bool plan_way_round(Motion& motion, const RouteTask& task, const Route& blocked, std::int64_t now_ns);
  bool find_goals(Motion& motion, RouteTask& task, std::int64_t now_ns);
  Posture posture_of_others(const Motion& motion) const;
  std::span<const double> counted_from(const Motion& motion) const;
  std::vector<Motion*> next_of(const Motion& motion);
  void join(Motion& motion, std::span<Motion* const> next, const PlannedMoves& planned, std::int64_t now_ns);
  void pass_joined(Motion& motion, double time, std::int64_t now_ns);
  bool plan_way(Motion& motion, std::int64_t now_ns);
  void set_way(Motion& motion, Trajectory trajectory, std::int64_t now_ns, const std::string& note = {});
  bool begin_way(Motion& motion, std::int64_t now_ns);
  void send_ahead(Motion& motion, std::int64_t now_ns, std::int64_t ahead_ns);
  std::size_t room_for(const Motion& motion, std::int64_t now_ns) const;
  bool end_as_told(Motion& motion, std::int64_t now_ns);
  bool advance(Motion& motion, std::int64_t now_ns);
  bool wait_for_rest(Motion& motion, std::int64_t now_ns);
  bool plan_unless_interrupted(Motion& motion, std::int64_t now_ns);
  bool asks_to_end();
  bool sends_again(Motion& motion, std::int64_t now_ns);
  bool move_on(Motion& motion, std::int64_t now_ns);
  bool settle(Motion& motion, std::int64_t now_ns);
  void end(Motion& motion, ReplyStatus status, const std::string& why, std::int64_t now_ns);
  void abort(Motion& motion, const std::string& why, std::int64_t now_ns);
  std::size_t abort_if(const std::function<bool(const Motion&)>& is_meant, const std::string& why,
                       std::int64_t now_ns);
  void abort_all(const std::string& why, std::int64_t now_ns);
  void sweep(std::int64_t now_ns);
  double rate() const { return is_paused_ ? 0.0 : override_; }

  Reply& answer(std::uint64_t number, ReplyStatus status, const std::string& words, std::int64_t now_ns);
  Reply& answer(Motion& motion, ReplyStatus status, const std::string& words, std::int64_t now_ns);
  void note_end(Motion& motion, ReplyStatus status, const std::string& words, std::int64_t now_ns);

  inline static const Obstacles kNothing{};

  const RobotModel& model_;
  MotionSettings settings_;
  std::uint64_t enabled_mask_;
  Posture home_;
  std::unique_ptr<RouteFinder> routes_;
  RequestMoves moves_;
  std::unique_ptr<World> world_;
  std::unique_ptr<WorldInUse> world_in_use_;
  std::uint64_t world_number_ = 0;
  std::map<std::pair<std::string, std::string>, std::unique_ptr<ArmSolver>> arms_;
  RobotView robot_;
  Ownership ownership_;
  HoldBook holds_;
  TrajectoryStore trajectories_;
  MotionQueue queue_;
  double override_ = 1.0;
  bool is_paused_ = false;
  bool is_put_off_ = false;          // planning, in this step
  bool has_predecessor_ = false;     // and what it has sent may not have begun
  std::int64_t begins_from_ns_ = 0;  // until then nothing is planned
  std::uint64_t refusals_ = 0;
  MotionOutput output_;
  MotionOutput collected_;  // for the next step()
};

}  // namespace sinew
