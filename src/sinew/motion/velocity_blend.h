// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>

#include "sinew/trajectory/joint_curve.h"

namespace sinew {

/// Where a velocity shall go: `velocity` now, growing with `acceleration`.
struct VelocityGoal {
  double velocity = 0.0;      ///< [rad/s, m/s]
  double acceleration = 0.0;  ///< [rad/s^2, m/s^2]
};

/// The motion from `from` that has met the goal after `time` [s], in velocity and acceleration: the velocity
/// is a cubic, the position comes of it.
Coefficients blend_to(const AxisState& from, const VelocityGoal& goal, double time);

/// The motion for the next `time` [s] of a joint that runs after a goal that is never quite the same: the
/// acceleration that makes good what the velocity is off, no more than the jerk limit can take back in time.
Coefficients steer_to(const AxisState& from, const VelocityGoal& goal, const AxisLimits& limits, double time);

/// The velocity that makes good a distance [rad, m], no faster than a joint can stop from.
double velocity_over(double distance, const AxisLimits& limits);

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
