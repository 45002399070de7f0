// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "sinew/model/robot_model.h"

namespace sinew {

/// Links of 0.3 m in a row, turning about z: an arm that lies flat on a table and can meet itself.
inline RobotModel row_of_joints(std::size_t count) {
  RobotModel model{.name = "row"};
  Shape bar{.kind = ShapeKind::Box, .half_extents = {0.13, 0.02, 0.02}};
  bar.X_LG.position = {0.15, 0.0, 0.0};
  model.links.push_back({.name = "base", .child_joints = {0}});
  for (std::size_t i = 0; i < count; ++i) {
    Joint joint{.name = "j" + std::to_string(i + 1),
                .kind = JointKind::Revolute,
                .parent_link = i,
                .child_link = i + 1,
                .axis = Vector3::UnitZ(),
                .limits = {.lower = -2.0, .upper = 2.0, .velocity = 1.0, .acceleration = 4.0, .jerk = 40.0},
                .position = i};
    joint.X_PJ.position = {i == 0 ? 0.0 : 0.3, 0.0, 0.0};
    model.joints.push_back(joint);
    model.positions.push_back(i);
    Link link{.name = "link" + std::to_string(i + 1), .parent_joint = i, .collisions = {bar}};
    if (i + 1 < count) link.child_joints = {i + 1};
    model.links.push_back(link);
    model.ignored_pairs.push_back({.link_a = i, .link_b = i + 1, .reason = "adjacent"});
  }
  model.arms.push_back({.name = "arm", .base_link = 0, .tip_link = count});
  return model;
}

}  // namespace sinew
