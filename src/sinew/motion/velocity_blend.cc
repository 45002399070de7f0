// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/velocity_blend.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

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
  const double velocity = goal.velocity + goal.acceleration * time;
  if (goal.has_place) {
    const double way = goal.distance + time * (goal.velocity + time * goal.acceleration / 2.0);
    return quintic_between({.value = from.position, .first = from.velocity, .second = from.acceleration},
                           {.value = from.position + way, .first = velocity, .second = goal.acceleration},
                           time);
  }
  // v(t) = v0 + a0 t + c t² + d t³
  const double gain = velocity - from.velocity - from.acceleration * time;
  const double turn = goal.acceleration - from.acceleration;
  const double c = (3.0 * gain / time - turn) / time;
  const double d = (turn - 2.0 * gain / time) / (time * time);
  return {from.position, from.velocity, from.acceleration / 2.0, c / 3.0, d / 4.0, 0.0};
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
