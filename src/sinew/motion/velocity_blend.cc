// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/velocity_blend.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double kVelocityGain = 30.0;  // [1/s]
constexpr double kPositionGain = 8.0;   // [1/s]
constexpr double kLonger = 1.1;
constexpr int kBlendTries = 60;  // up to 300 times the shortest that could be

// no joint can gain velocity faster than at its full acceleration
double least_time(const BlendTask& task) {
  double least = task.least;
  for (std::size_t k = 0; k < task.from.size(); ++k) {
    const double goal = task.goals.empty() ? 0.0 : task.goals[k].velocity;
    least = std::max(least, std::abs(goal - task.from[k].velocity) / task.limits[k].acceleration);
  }
  return least;
}

BlendTime try_time(const BlendTask& task, double time) {
  for (std::size_t k = 0; k < task.from.size(); ++k) {
    const VelocityGoal goal = task.goals.empty() ? VelocityGoal{} : task.goals[k];
    const SegmentCheck check = check_polynomial(blend_to(task.from[k], goal, time), time, task.limits[k]);
    if (check.fault != SegmentFault::None) return {.joint = k, .fault = check.fault};
  }
  return {.time = time};
}

}  // namespace

Coefficients blend_to(const AxisState& from, const VelocityGoal& goal, double time) {
  // v(t) = v0 + a0 t + c t² + d t³
  const double gain = goal.velocity + goal.acceleration * time - from.velocity - from.acceleration * time;
  const double turn = goal.acceleration - from.acceleration;
  const double c = (3.0 * gain / time - turn) / time;
  const double d = (turn - 2.0 * gain / time) / (time * time);
  return {from.position, from.velocity, from.acceleration / 2.0, c / 3.0, d / 4.0, 0.0};
}

Coefficients steer_to(const AxisState& from, const VelocityGoal& goal, const AxisLimits& limits,
                      double time) {
  const double miss = goal.velocity - from.velocity;
  // sqrt(2 j miss) would be the fastest; half of that leaves room
  const double making_good = std::copysign(
      std::min(kVelocityGain * std::abs(miss), std::sqrt(0.5 * limits.jerk * std::abs(miss))), miss);
  const double acceleration =
      std::clamp(goal.acceleration + making_good, -limits.acceleration, limits.acceleration);
  const double jerk = std::clamp((acceleration - from.acceleration) / time, -limits.jerk, limits.jerk);
  return {from.position, from.velocity, from.acceleration / 2.0, jerk / 6.0, 0.0, 0.0};
}

double velocity_over(double distance, const AxisLimits& limits) {
  const double length = std::abs(distance);
  // from v a joint stops within v^1.5 / sqrt(jerk), or v^2 / (2 acceleration); again with room
  const double by_jerk = 0.5 * std::cbrt(limits.jerk * length * length);
  const double by_acceleration = 0.5 * std::sqrt(2.0 * limits.acceleration * length);
  return std::copysign(std::min({kPositionGain * length, by_jerk, by_acceleration}), distance);
}

BlendTime shortest_blend(const BlendTask& task) {
  double time = least_time(task);
  BlendTime tried;
  for (int i = 0; i < kBlendTries; ++i) {
    tried = try_time(task, time);
    // a longer way passes a position limit all the more
    if (tried.time || tried.fault == SegmentFault::Position || tried.fault == SegmentFault::NotUsable) break;
    time *= kLonger;
  }
  return tried;
}

}  // namespace sinew
