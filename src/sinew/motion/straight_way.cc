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

// A little below the limits: room for a change of speed on the way.
constexpr double kShareOfLimits = 0.95;

double finite_or(double limit, double fallback) {
  return std::isfinite(limit) ? limit : fallback;
}

/// The joints of a mask, in order.
std::vector<std::size_t> joints_in(std::uint64_t joint_mask, std::size_t count) {
  std::vector<std::size_t> joints;
  for (std::size_t i = 0; i < count; ++i)
    if ((joint_mask >> i & 1) != 0) joints.push_back(i);
  return joints;
}

/// What the share of the line, 0 to 1, may do so that no joint exceeds its limits.
AxisLimits limits_along(const WayTask& task, std::span<const std::size_t> joints,
                        std::span<const AxisLimits> limits) {
  AxisLimits along{.velocity = kLargestValue, .acceleration = kLargestValue, .jerk = kLargestValue};
  for (std::size_t k = 0; k < joints.size(); ++k) {
    const double length = std::abs(task.to[joints[k]] - task.from[joints[k]]);
    if (length < 1e-9) continue;
    const double share = kShareOfLimits * task.speed;
    along.velocity = std::min(along.velocity, share * limits[k].velocity / length);
    along.acceleration = std::min(along.acceleration, share * task.speed * limits[k].acceleration / length);
    along.jerk = std::min(along.jerk, share * task.speed * task.speed * limits[k].jerk / length);
  }
  return along;
}

}  // namespace

std::vector<AxisLimits> limits_of(const RobotModel& model, std::uint64_t joint_mask) {
  std::vector<AxisLimits> limits;
  for (const std::size_t i : joints_in(joint_mask, model.positions.size())) {
    const JointLimits& joint = model.joints[model.positions[i]].limits;
    const double velocity = finite_or(joint.velocity, 1.0);
    const double acceleration = finite_or(joint.acceleration, velocity / kTimeToSpeed);
    limits.push_back({.lower = joint.lower,
                      .upper = joint.upper,
                      .velocity = velocity,
                      .acceleration = acceleration,
                      .jerk = finite_or(joint.jerk, acceleration / kTimeToAcceleration)});
  }
  return limits;
}

void append_straight_way(const RobotModel& model, const WayTask& task, Trajectory& trajectory) {
  const std::vector<std::size_t> joints = joints_in(task.joint_mask, task.from.size());
  const AxisLimits along = limits_along(task, joints, limits_of(model, task.joint_mask));
  if (along.velocity == kLargestValue) return;
  const AxisProfile profile = plan_to_rest_at(1.0, {}, along);
  std::vector<Coefficients> polynomials(joints.size());
  const auto pieces = profile.pieces();
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const double begin = pieces[i].start_time;
    const double end = i + 1 < pieces.size() ? pieces[i + 1].start_time : profile.duration();
    if (!(end > begin)) continue;
    const AxisState state = profile.at(begin);
    const double jerk = profile.jerk_at(0.5 * (begin + end));
    for (std::size_t k = 0; k < joints.size(); ++k) {
      const double from = task.from[joints[k]];
      const double length = task.to[joints[k]] - from;
      polynomials[k] = {from + length * state.position, length * state.velocity,
                        length * state.acceleration / 2.0, length * jerk / 6.0};
    }
    trajectory.append(end - begin, polynomials);
  }
}

}  // namespace sinew
