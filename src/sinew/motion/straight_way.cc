// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/straight_way.h"

#include <algorithm>
#include <cmath>

#include "sinew/trajectory/jerk_limited.h"

namespace sinew {
namespace {

// what the controller assumes where nobody has stated a limit
constexpr double kTimeToSpeed = 0.5;         // [s]
constexpr double kTimeToAcceleration = 0.1;  // [s]

// A little below the limits, so that the controller can follow without ever touching them.
constexpr double kShareOfLimits = 0.95;

double finite_or(double limit, double fallback) {
  return std::isfinite(limit) ? limit : fallback;
}

}  // namespace

StraightWay::StraightWay(const RobotModel& model, const WayTask& task)
    : from_(task.from.begin(), task.from.end()),
      to_(task.to.begin(), task.to.end()),
      joint_mask_(task.joint_mask),
      limits_{.velocity = kLargestValue, .acceleration = kLargestValue, .jerk = kLargestValue} {
  for (std::size_t i = 0; i < from_.size(); ++i) {
    const double length = std::abs(to_[i] - from_[i]);
    if ((joint_mask_ >> i & 1) == 0 || length < 1e-9) continue;
    const JointLimits& joint = model.joints[model.positions[i]].limits;
    const double velocity = finite_or(joint.velocity, 1.0);
    const double acceleration = finite_or(joint.acceleration, velocity / kTimeToSpeed);
    const double jerk = finite_or(joint.jerk, acceleration / kTimeToAcceleration);
    const double share = kShareOfLimits * task.speed;
    limits_.velocity = std::min(limits_.velocity, share * velocity / length);
    limits_.acceleration = std::min(limits_.acceleration, share * task.speed * acceleration / length);
    limits_.jerk = std::min(limits_.jerk, share * task.speed * task.speed * jerk / length);
  }
  profile_ = plan_to_rest_at(1.0, {}, limits_);
}

void StraightWay::write_at(double time, std::span<double> q) const {
  const double share = profile_.at(time).position;
  for (std::size_t i = 0; i < from_.size(); ++i)
    if ((joint_mask_ >> i & 1) != 0) q[i] = from_[i] + share * (to_[i] - from_[i]);
  // no rounding at the end: it is the goal
  if (share != 1.0) return;
  for (std::size_t i = 0; i < from_.size(); ++i)
    if ((joint_mask_ >> i & 1) != 0) q[i] = to_[i];
}

void StraightWay::brake_at(double time) {
  profile_ = plan_stop(profile_.at(time), limits_);
}

}  // namespace sinew
