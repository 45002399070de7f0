// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/base/time.h"
#include "sinew/messages/jog.h"
#include "sinew/messages/joints.h"
#include "sinew/motion/arm_solver.h"
#include "sinew/motion/robot_view.h"
#include "sinew/motion/route_finder.h"
#include "sinew/motion/sent_pieces.h"
#include "sinew/motion/tool_rates.h"
#include "sinew/motion/velocity_blend.h"
#include "sinew/trajectory/axis.h"

namespace sinew {

struct LiveSettings {
  std::int64_t lead_ns = 2 * kMillisecond_ns;  ///< From now to the first change; grows when that is too late.
  std::int64_t piece_ns = 20 * kMillisecond_ns;  ///< How late the next plan may be without being felt.
};

/// Which joints shall move, and how, from now on.
struct LiveWish {
  bool is_of_tool = false;
  std::vector<VelocityGoal> joints;  ///< One for each joint in hand, in the order of the mask.
  Twist V_BT;                        ///< Of the tool, in axes of the arm's base.
  Twist A_BT;                        ///< How that grows [m/s^2, rad/s^2].
  bool is_chase = false;             ///< Of joints: after goals that change with every step.
  double speed = 1.0;                ///< [1] Share of the velocity limits that may be used.
};

/// What became of a wish.
struct LiveOutcome {
  double share = 1.0;        ///< [1] Of the velocity wished for.
  bool is_standing = false;  ///< It leads no further, and the joints have all but stopped.
  JogReason reason = JogReason::None;
  std::string words;
  double smallest_singular_value = 0.0;
};

/// Moves joints as a stream of wishes says: each step sends one short piece and a way to rest after it, which
/// replace what was sent before. So when the steps stay away, the joints stop smoothly, and nothing is begun
/// that could not be ended: within limits and touching nothing. Where that is not possible as wished, it is
/// done more slowly, as fast as it is; where not at all, what was sent before leads to rest.
///
/// Begins with joints at rest. Values in, values out; one thread.
class LiveMotion {
 public:
  /// `model` and `room` must outlive it.
  LiveMotion(const RobotModel& model, RouteFinder& room, const LiveSettings& settings = {});

  /// Takes joints in hand that rest at `q_all`. `arm`: whose tool may be moved; may be null; must outlive its
  /// use. `number`: of the motion for the controller.
  void begin(std::uint64_t joint_mask, const ArmSolver* arm, std::span<const double> q_all,
             std::uint64_t number);
  /// Lets go of them.
  void end() { sent_.begin(0, {}); }

  std::uint64_t joint_mask() const { return sent_.joint_mask(); }
  std::span<const std::size_t> joints() const { return sent_.joints(); }
  std::span<const AxisLimits> limits() const { return limits_; }
  const ArmSolver* arm() const { return arm_; }
  /// Whose tool is meant from now on: an arm of the joints in hand; null: none.
  void set_arm(const ArmSolver* arm);
  bool has_sent() const { return !sent_.is_empty(); }
  /// Whether the joints rest from `at_ns` on, by what was sent.
  bool rests(std::int64_t at_ns) const { return sent_.is_empty() || sent_.end_ns() <= at_ns; }
  /// When a plan that is sent now would begin.
  std::int64_t next_ns(std::int64_t now_ns) const;
  std::int64_t lead_ns() const { return lead_ns_; }
  /// The joints when that plan begins.
  std::vector<AxisState> states_at(std::int64_t at_ns) const;
  JointVector arm_joints(std::span<const AxisState> states) const;
  /// The arm's joint i among the joints in hand.
  std::size_t slot_of(std::size_t i) const { return slot_of_chain_[i]; }

  /// Compares with what the controller did. False: it did something else, and the joints are not in hand.
  bool take_command(const RobotView& robot, std::int64_t now_ns);

  /// One step of a stream. `q_all`: where the other joints are.
  LiveOutcome go(const LiveWish& wish, std::span<const double> q_all, std::int64_t now_ns,
                 std::vector<Segment>& out);
  /// One step towards rest; of a tool, straight on.
  void stop(std::span<const double> q_all, std::int64_t now_ns, std::vector<Segment>& out);
  /// Sends pieces that were made elsewhere: they begin where the joints are at next_ns(), and end at rest.
  void send(std::vector<LivePiece> plan, std::int64_t now_ns, std::vector<Segment>& out);

 private:
  /// Why a plan cannot be.
  struct Obstacle {
    JogReason reason = JogReason::None;
    std::string words;
  };
  struct Attempt {
    std::vector<LivePiece> plan;  ///< Empty: it cannot be, and `why` says why.
    Obstacle why;
  };
  /// All that a step begins with.
  struct Begin {
    std::int64_t at_ns = 0;
    std::vector<AxisState> from;
    std::span<const double> q_all;
    std::optional<ToolMotion> tool;
    std::vector<VelocityGoal> goals;  ///< Of the joints, for the whole wish.
    std::array<VelocityGoal, 6>
        tool_goals{};  ///< Of the tool, as far as the arm can: three linear, three angular.
  };
  struct Cap {
    double share = 1.0;
    Obstacle why;
    double smallest_singular_value = 0.0;
  };

  Begin begin_of(const LiveWish& wish, std::span<const double> q_all, std::int64_t now_ns) const;
  Cap cap_of(const LiveWish& wish, Begin& begin) const;
  double set_tool_goals(const LiveWish& wish, Begin& begin, double& smallest_singular_value) const;
  Cap cap_by_speed(const LiveWish& wish, std::span<const VelocityGoal> goals, JogReason reason) const;
  Cap look_ahead(const LiveWish& wish, const Begin& begin) const;
  Attempt try_share(const LiveWish& wish, const Begin& begin, double share) const;
  Obstacle make_blend(const LiveWish& wish, const Begin& begin, std::span<const VelocityGoal> goals,
                      double share, LivePiece& piece) const;
  Attempt slow_down(const LiveWish& wish, const Begin& begin, Obstacle why, LiveOutcome& outcome) const;
  Attempt rest_from(const Begin& begin, std::vector<LivePiece> before, std::vector<AxisState> from) const;
  bool make_tool_piece(const Begin& begin, double share, double time, LivePiece& piece) const;
  Obstacle limit_obstacle(std::size_t k, SegmentFault fault) const;
  Obstacle check_limits(const LivePiece& piece) const;
  Obstacle check_room(const std::vector<LivePiece>& plan, std::span<const double> q_all) const;
  Obstacle sweep(const LivePiece& piece, double from, double to, std::vector<double>& q) const;
  std::string joint_name(std::size_t k) const;

  const RobotModel& model_;
  RouteFinder& room_;
  LiveSettings settings_;
  SentPieces sent_;
  const ArmSolver* arm_ = nullptr;
  std::vector<std::size_t> slot_of_chain_;  // the arm's joint i among the joints in hand
  std::vector<AxisLimits> limits_;          // a hair inside the controller's
  std::vector<AxisLimits> eased_;           // for getting faster: a way to rest needs room
  std::uint64_t number_ = 0;
  bool ends_by_itself_ = false;  // the newest plan is a way to rest
  std::int64_t lead_ns_ = 0;
  std::int64_t quiet_since_ns_ = 0;  // since when no plan was late
};

/// Whether the joints stand still to the last bit, so that a motion may begin. Joints that only creep,
/// because a filter never quite arrives, are told to stay, once (`has_halted`), with a reference in `out`.
bool bring_to_rest(const RobotView& robot, std::uint64_t joint_mask, std::int64_t now_ns, bool& has_halted,
                   std::optional<JointReference>& out);

/// A segment for the controller from a piece of a stream.
Segment segment_of(const LivePiece& piece, std::span<const std::size_t> joints, std::int64_t now_ns);

}  // namespace sinew
