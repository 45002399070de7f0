// SPDX-License-Identifier: BSD-3-Clause
// Joints that are not commanded, because a robot has more of them than a message carries.
#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "sinew/model/chains.h"
#include "sinew/model/urdf_parts.h"

namespace sinew::urdf {
namespace {

bool has_position(const Joint& joint) {
  return joint.kind != JointKind::Fixed && !joint.mimic;
}

// Of each joint, whether it is among the first that fit: those of long chains, then in the file's order.
std::vector<bool> find_commanded(const RobotModel& model) {
  std::vector<std::vector<std::size_t>> chains;
  for (const Arm& arm : find_chains(model)) {
    auto path = joints_between(model, arm.base_link, arm.tip_link);
    if (path) chains.push_back(*std::move(path));
  }
  const auto length = [&](const std::vector<std::size_t>& chain) {
    return std::count_if(chain.begin(), chain.end(),
                         [&](std::size_t j) { return has_position(model.joints[j]); });
  };
  std::stable_sort(chains.begin(), chains.end(),
                   [&](const auto& a, const auto& b) { return length(a) > length(b); });
  std::vector<std::size_t> all(model.joints.size());
  for (std::size_t j = 0; j < all.size(); ++j) all[j] = j;
  chains.push_back(std::move(all));

  std::vector<bool> is_commanded(model.joints.size(), false);
  std::size_t count = 0;
  for (const std::vector<std::size_t>& chain : chains) {
    for (const std::size_t j : chain) {
      if (!has_position(model.joints[j]) || is_commanded[j] || count == kMostPositions) continue;
      is_commanded[j] = true;
      ++count;
    }
  }
  return is_commanded;
}

}  // namespace

void hold_joint(Joint& joint, double wanted) {
  // figures without sense must not make a pose that is none
  constexpr double kFarthest = 1e4;
  const double position = std::abs(wanted) <= kFarthest ? wanted : 0.0;
  const Pose motion = joint.kind == JointKind::Prismatic
                          ? Pose{.position = position * joint.axis}
                          : Pose{.rotation = Quaternion(Eigen::AngleAxisd(position, joint.axis))};
  joint.X_PJ = joint.X_PJ * motion;
  joint.kind = JointKind::Fixed;
  joint.mimic.reset();
  joint.limits = {};
  joint.is_enabled = false;
}

void hold_surplus(RobotModel& model, const Place& place, Findings& findings) {
  const auto movers =
      static_cast<std::size_t>(std::count_if(model.joints.begin(), model.joints.end(), has_position));
  if (movers <= kMostPositions) return;
  const std::vector<bool> is_commanded = find_commanded(model);
  std::vector<std::string> names;
  std::vector<double> held(model.joints.size(), 0.0);
  std::vector<bool> is_held(model.joints.size(), false);
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    Joint& joint = model.joints[j];
    if (!has_position(joint) || is_commanded[j]) continue;
    held[j] = std::clamp(0.0, joint.limits.lower, joint.limits.upper);
    is_held[j] = true;
    names.push_back(joint.name);
    hold_joint(joint, held[j]);
  }
  for (Joint& joint : model.joints) {
    if (!joint.mimic || !is_held[joint.mimic->joint]) continue;
    hold_joint(joint, joint.mimic->factor * held[joint.mimic->joint] + joint.mimic->offset);
  }
  findings.remark(
      place,
      fmt::format("the robot has {} joints that move, more than {}: {} of them are not enabled and "
                  "are held where the description puts them: {}",
                  movers, kMostPositions, names.size(), fmt::join(names, ", ")),
      "make those fixed that are not used, and these take their places");
}

}  // namespace sinew::urdf
