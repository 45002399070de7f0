// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>

#include "sinew/trajectory/joint_curve.h"

namespace sinew {

/// Where a velocity shall go: `velocity` now, growing with `acceleration`; and, when it has a place, to be
/// `distance` from here now, moving on so.
struct VelocityGoal {
  double velocity = 0.0;      ///< [rad/s, m/s]
  double acceleration = 0.0;  ///< [rad/s^2, m/s^2]
  bool has_place = false;
  double distance = 0.0;  ///< [rad, m]
};

/// That much of a goal.
inline VelocityGoal share_of(const VelocityGoal& goal, double share) {
  return {.velocity = share * goal.velocity,
          .acceleration = share * goal.acceleration,
          .has_place = goal.has_place,
          .distance = share * goal.distance};
}

/// The motion from `from` that has met the goal after `time` [s], in velocity and acceleration, and in its
/// place where it has one. Without one the velocity is a cubic, and the position comes of it.
Coefficients blend_to(const AxisState& from, const VelocityGoal& goal, double time);

/// All joints at once.
struct BlendTask {
  std::span<const AxisState> from;
  std::span<const VelocityGoal> goals;  ///< Empty: rest.
  std::span<const AxisLimits> limits;
  double least = 0.0;  ///< [s]
};

/// The shortest time, by about a tenth, in which a blend of all joints keeps their limits; none: there is
/// none, and `joint` is the one that passes a limit.
struct BlendTime {
  std::optional<double> time;  ///< [s]
  std::size_t joint = 0;
  SegmentFault fault = SegmentFault::None;
};
BlendTime shortest_blend(const BlendTask& task);

}  // namespace sinew
