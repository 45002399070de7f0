// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/model/positions.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

double middle_of(const JointLimits& limits) {
  if (!std::isfinite(limits.lower) || !std::isfinite(limits.upper)) return 0.0;
  return 0.5 * (limits.lower + limits.upper);
}

}  // namespace

std::vector<double> starting_positions(const RobotModel& model) {
  std::vector<double> positions;
  for (const std::size_t joint : model.positions) positions.push_back(middle_of(model.joints[joint].limits));
  for (const NamedPosture& posture : model.postures) {
    if (posture.name != "home") continue;
    for (std::size_t i = 0; i < posture.positions.size(); ++i)
      if (std::isfinite(posture.positions[i])) positions[i] = posture.positions[i];
  }
  return positions;
}

std::uint64_t enabled_mask(const RobotModel& model) {
  std::uint64_t mask = 0;
  for (std::size_t i = 0; i < model.positions.size(); ++i)
    if (model.joints[model.positions[i]].is_enabled) mask |= std::uint64_t{1} << i;
  return mask;
}

std::vector<double> encoder_error(const RobotModel& model) {
  std::vector<double> error(model.positions.size(), 0.0);
  if (!model.actuation) return error;
  constexpr double kHalfCount = 0.5;
  const Actuation& actuation = *model.actuation;
  const Eigen::VectorXd off =
      actuation.inverse.cwiseAbs() * (kHalfCount * actuation.scale.cwiseAbs().cwiseInverse());
  for (std::size_t i = 0; i < error.size(); ++i) error[i] = off[static_cast<Eigen::Index>(i)];
  return error;
}

double gripper_width(const Gripper& gripper, const GripperJoint& joint, double position) {
  if (joint.open == joint.closed) return gripper.closed_width;
  const double share = (position - joint.closed) / (joint.open - joint.closed);
  return std::lerp(gripper.closed_width, gripper.open_width, share);
}

std::uint64_t arm_mask(const RobotModel& model, const Arm& arm) {
  std::uint64_t mask = 0;
  const auto path = joints_between(model, arm.base_link, arm.tip_link);
  if (!path) return mask;
  for (const std::size_t index : *path) {
    const Joint& joint = model.joints[index];
    const Joint& leader = joint.mimic ? model.joints[joint.mimic->joint] : joint;
    if (leader.position != kNone) mask |= std::uint64_t{1} << leader.position;
  }
  return mask;
}

double without_rounding(const JointLimits& limits, double position) {
  constexpr double kRounding = 1e-4;
  const double within = std::clamp(position, limits.lower, limits.upper);
  return std::abs(position - within) <= kRounding * std::max(1.0, std::abs(within)) ? within : position;
}

}  // namespace sinew
