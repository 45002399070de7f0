// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/component_ik.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Dense>

namespace sinew {
namespace {

constexpr double kDifference = 1e-6;  // [rad, m] of the forward differences
constexpr double kTolerance = 1e-7;   // [m, rad]
constexpr double kGoodEnough = 1e-5;  // [m, rad] where it can get no nearer
constexpr double kLongestStep = 0.3;  // [rad, m] of one joint
constexpr double kSmallestDamping = 1e-9;
constexpr double kLargestDamping = 1e3;
constexpr int kMostSteps = 120;

using Residual = Eigen::Matrix<double, 6, 1>;

std::span<const double> numbers_of(const JointVector& q) {
  return {q.data(), static_cast<std::size_t>(q.size())};
}

// What is missing to the goal; zero in the components that are free.
Residual residual_of(const ComponentGoal& goal, const Pose& X_BT) {
  const PoseComponents now = components_of(X_BT);
  Residual residual = Residual::Zero();
  for (std::size_t i = 0; i < 6; ++i) {
    if ((goal.mask >> i & 1) == 0) continue;
    const double difference = goal.value[i] - now[i];
    residual[static_cast<Eigen::Index>(i)] =
        i < 3 ? difference : std::remainder(difference, 2.0 * std::numbers::pi);
  }
  return residual;
}

Jacobian jacobian_of(const SerialChain& chain, const ComponentGoal& goal, const JointVector& q,
                     const Residual& here) {
  Jacobian jacobian(6, q.size());
  JointVector moved = q;
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    moved[i] = q[i] + kDifference;
    jacobian.col(i) = (here - residual_of(goal, chain.tool_pose(numbers_of(moved)))) / kDifference;
    moved[i] = q[i];
  }
  return jacobian;
}

JointVector step_from(const SerialChain& chain, const JointVector& q, const JointVector& step) {
  const double largest = step.cwiseAbs().maxCoeff();
  JointVector next = q + step * std::min(1.0, kLongestStep / std::max(largest, 1e-12));
  for (Eigen::Index i = 0; i < q.size(); ++i) {
    const JointLimits& limits = chain.limits(static_cast<std::size_t>(i));
    next[i] = std::clamp(next[i], limits.lower, limits.upper);
  }
  return next;
}

}  // namespace

PoseComponents components_of(const Pose& X_BT) {
  const RollPitchYaw rpy = roll_pitch_yaw(X_BT.rotation);
  return {X_BT.position.x(), X_BT.position.y(), X_BT.position.z(), rpy.roll, rpy.pitch, rpy.yaw};
}

Pose pose_from(const PoseComponents& components) {
  return {.rotation = quaternion_from({.roll = components[3], .pitch = components[4], .yaw = components[5]}),
          .position = Vector3(components[0], components[1], components[2])};
}

ComponentError error_of(const ComponentGoal& goal, const Pose& X_BT) {
  const Residual residual = residual_of(goal, X_BT);
  const bool is_whole = (goal.mask >> 3) == 7;
  return {.position = residual.head<3>().norm(),
          // all three angles mean a rotation, and its error is an angle whatever the three say
          .rotation = is_whole ? distance(pose_from(goal.value), X_BT).rotation : residual.tail<3>().norm()};
}

ComponentAnswer reach_components(const SerialChain& chain, const ComponentGoal& goal,
                                 const JointVector& start) {
  ComponentAnswer answer{.q = start};
  Residual residual = residual_of(goal, chain.tool_pose(numbers_of(start)));
  double damping = 1e-4;
  for (; answer.steps < kMostSteps && residual.norm() > kTolerance && damping < kLargestDamping;
       ++answer.steps) {
    const Jacobian jacobian = jacobian_of(chain, goal, answer.q, residual);
    Eigen::Matrix<double, 6, 6> square = jacobian * jacobian.transpose();
    square.diagonal().array() += damping;
    const JointVector step = jacobian.transpose() * square.ldlt().solve(residual);
    const JointVector next = step_from(chain, answer.q, step);
    const Residual then = residual_of(goal, chain.tool_pose(numbers_of(next)));
    const bool is_nearer = then.norm() < residual.norm();
    damping = is_nearer ? std::max(damping * 0.2, kSmallestDamping) : damping * 4.0;
    if (!is_nearer) continue;
    answer.q = next;
    residual = then;
  }
  answer.error = {.position = residual.head<3>().norm(), .rotation = residual.tail<3>().norm()};
  answer.is_solved = residual.norm() < kGoodEnough;
  return answer;
}

}  // namespace sinew
