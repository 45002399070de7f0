// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/model/robot_model.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace sinew {
namespace {

template <class Parts, class Predicate>
std::size_t index_of(const Parts& parts, Predicate predicate) {
  const auto found = std::find_if(parts.begin(), parts.end(), predicate);
  return found == parts.end() ? kNone : static_cast<std::size_t>(found - parts.begin());
}

}  // namespace

std::string_view joint_kind_text(JointKind kind) {
  switch (kind) {
    case JointKind::Fixed:
      return "fixed";
    case JointKind::Revolute:
      return "revolute";
    case JointKind::Continuous:
      return "continuous";
    case JointKind::Prismatic:
      break;
  }
  return "prismatic";
}

std::size_t find_link(const RobotModel& model, std::string_view name) {
  return index_of(model.links, [&](const Link& link) { return link.name == name; });
}

std::size_t find_joint(const RobotModel& model, std::string_view name) {
  const std::size_t named = index_of(model.joints, [&](const Joint& joint) { return joint.name == name; });
  if (named != kNone) return named;
  return index_of(model.joints, [&](const Joint& joint) {
    return std::find(joint.aliases.begin(), joint.aliases.end(), name) != joint.aliases.end();
  });
}

std::size_t find_arm(const RobotModel& model, std::string_view name) {
  return index_of(model.arms, [&](const Arm& arm) { return arm.name == name; });
}

const IoPort* find_port(const std::vector<IoPort>& ports, std::string_view name, bool is_analog) {
  const auto found = std::find_if(ports.begin(), ports.end(), [&](const IoPort& port) {
    return port.is_analog == is_analog && (port.name == name || std::to_string(port.number) == name);
  });
  return found == ports.end() ? nullptr : &*found;
}

double gripper_position(const Gripper& gripper, const GripperJoint& joint, double width) {
  const double share = (width - gripper.closed_width) / (gripper.open_width - gripper.closed_width);
  return std::lerp(joint.closed, joint.open, std::clamp(share, 0.0, 1.0));
}

std::optional<std::vector<std::size_t>> joints_between(const RobotModel& model, std::size_t base_link,
                                                       std::size_t tip_link) {
  std::vector<std::size_t> path;
  for (std::size_t link = tip_link; link != base_link;) {
    const std::size_t joint = model.links[link].parent_joint;
    if (joint == kNone) return std::nullopt;
    path.push_back(joint);
    link = model.joints[joint].parent_link;
  }
  std::reverse(path.begin(), path.end());
  return path;
}

std::optional<Pose> fixed_place(const RobotModel& model, std::size_t link) {
  Pose X_RL;
  for (std::size_t joint = model.links[link].parent_joint; joint != kNone;
       joint = model.links[model.joints[joint].parent_link].parent_joint) {
    if (model.joints[joint].kind != JointKind::Fixed) return {};
    X_RL = model.joints[joint].X_PJ * X_RL;
  }
  return X_RL;
}

std::vector<BaseFrame> frames_in(const RobotModel& model, std::size_t base_link) {
  const auto X_RB = fixed_place(model, base_link);
  std::vector<BaseFrame> frames;
  for (const NamedFrame& frame : model.frames)
    if (X_RB) frames.push_back({.name = frame.name, .X_BU = inverse(*X_RB) * frame.X_RU});
  return frames;
}

}  // namespace sinew
