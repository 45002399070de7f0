// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/base/realtime.h"
#include "sinew/collision/collision_checker.h"
#include "sinew/messages/joints.h"
#include "sinew/trajectory/jerk_limited.h"

namespace sinew {

/// What the guard says of a step.
struct GuardVerdict {
  bool is_clear = true;
  std::uint64_t joint_mask = 0;  ///< Otherwise: the joints that bring the two together.
  Contact contact;               ///< And the two.
};

/// Watches that the robot keeps away from itself and from the world, also while it brakes.
///
/// The rule that makes it safe: a step is allowed only when braking with all joints, begun after the step,
/// touches nothing on its whole way. So there always is a way to stop that has been looked at: the one from
/// the state before. One thread; allocates nothing after its making.
class Guard {
 public:
  /// `shapes` must outlive this object.
  explicit Guard(const RobotShapes& shapes);

  /// From now on against these; what their solids point to must outlive their use.
  void set_world(const Obstacles& world) SINEW_REALTIME { checker_.set_world(world); }

  /// May the robot, which was sent to `from`, go on to the state `next` (`dt` [s] later) and brake from
  /// there, within `limits`? One entry per joint each.
  GuardVerdict check(std::span<const double> from, std::span<const AxisState> next,
                     std::span<const AxisLimits> limits, double dt) SINEW_REALTIME;

  /// The two things that are nearest at `q`, measured against their margin.
  CheckResult nearest(std::span<const double> q) SINEW_REALTIME { return checker_.nearest(q); }

  const RobotShapes& shapes() const noexcept { return shapes_; }

 private:
  /// The step and the way to a stop after it.
  struct Way {
    std::span<const double> from;
    std::span<const AxisLimits> limits;
    double duration = 0.0;  // [s] of the braking
    double step = 0.0;      // [s]
  };
  /// A part of the braking.
  struct Piece {
    double begin = 0.0;  // [s]
    double end = 0.0;
    int halvings = 0;
  };

  CheckResult sweep(const Way& way, const Piece& piece, JointArray& start) SINEW_REALTIME;
  double set_chord(const Way& way, const Piece& piece, const JointArray& start, JointArray& end,
                   JointArray& slack) const SINEW_REALTIME;
  double plan_stops(std::span<const AxisState> next, std::span<const AxisLimits> limits) SINEW_REALTIME;
  GuardVerdict verdict_of(const CheckResult& result) const SINEW_REALTIME;

  const RobotShapes& shapes_;
  CollisionChecker checker_;
  std::vector<std::uint64_t> moves_link_;  // per link: the joints between it and the root
  std::array<AxisProfile, kMaxJoints> stops_;
};

}  // namespace sinew
