// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/lab/arm_angles.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace sinew::lab {

using std::numbers::pi;

Pose pose_of(const HandPose& hand, double yaw) {
  return {.rotation = quaternion_from({.roll = hand.roll, .pitch = hand.pitch, .yaw = yaw}),
          .position = {hand.x, hand.y, hand.z}};
}

HandPose hand_pose(const Pose& pose, double yaw) {
  const Matrix3 facing =
      (Quaternion(Eigen::AngleAxisd(-yaw, Vector3::UnitZ())) * pose.rotation).toRotationMatrix();
  const double pitch = std::atan2(-facing(2, 0), facing(0, 0));
  const Matrix3 rolled = Eigen::AngleAxisd(-pitch, Vector3::UnitY()).toRotationMatrix() * facing;
  return {.x = pose.position.x(),
          .y = pose.position.y(),
          .z = pose.position.z(),
          .pitch = pitch,
          .roll = std::atan2(rolled(2, 1), rolled(1, 1))};
}

double wrapped(double angle) {
  const double within = std::remainder(angle, 2.0 * pi);
  return within == -pi ? pi : within;
}

std::vector<double> draw_joints(const SerialChain& chain, Draws& draws) {
  std::vector<double> q;
  for (std::size_t i = 0; i < chain.size(); ++i) {
    const JointLimits& limits = chain.limits(i);
    q.push_back(draws.between(std::max(limits.lower, -pi), std::min(limits.upper, pi)));
  }
  return q;
}

Result<SerialChain> arm_chain(const RobotModel& model) {
  if (model.arms.empty())
    return Error{ErrorCode::InvalidInput, fmt::format("robot '{}' has no arm", model.name)};
  auto chain = SerialChain::make(model, model.arms[0].base_link, model.arms[0].tip_link);
  if (!chain) return chain.error();
  bool is_known = chain->size() == kArmJoints.size();
  for (std::size_t i = 0; is_known && i < kArmJoints.size(); ++i)
    is_known = model.joints[chain->joint(i)].name == kArmJoints[i];
  if (is_known) return chain;
  return Error{ErrorCode::Mismatch,
               fmt::format("robot '{}' has not the five joints of the SCORBOT", model.name)};
}

}  // namespace sinew::lab
