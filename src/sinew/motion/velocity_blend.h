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

/// The velocity of such a blend alone, for what is no joint: value, and integral since the begin.
struct BlendedVelocity {
  double velocity = 0.0;
  double acceleration = 0.0;
  double way = 0.0;
};
BlendedVelocity blended(const VelocityGoal& from, const VelocityGoal& goal, double time, double at);

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
