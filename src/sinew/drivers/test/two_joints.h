// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sinew/model/robot_model.h"

namespace sinew {

/// An arm of two joints, limits given: what a driver needs of a robot.
inline RobotModel two_joints() {
  RobotModel model{.name = "two"};
  model.links = {{.name = "base", .child_joints = {0}},
                 {.name = "upper", .parent_joint = 0, .child_joints = {1}},
                 {.name = "lower", .parent_joint = 1}};
  for (std::size_t i = 0; i < 2; ++i) {
    model.joints.push_back(
        {.name = i == 0 ? "shoulder" : "elbow",
         .kind = JointKind::Revolute,
         .parent_link = i,
         .child_link = i + 1,
         .axis = Vector3::UnitY(),
         .limits = {.lower = -2.0, .upper = 2.0, .velocity = 1.0, .acceleration = 5.0, .jerk = 50.0},
         .position = i});
    model.positions.push_back(i);
  }
  model.inputs = {{.name = "button", .number = 3}, {.name = "pressure", .number = 1, .is_analog = true}};
  model.outputs = {{.name = "lamp", .number = 5},
                   {.name = "valve", .number = 63, .is_off_at_stop = true},
                   {.name = "feed", .number = 15, .is_analog = true, .is_off_at_stop = true}};
  return model;
}

}  // namespace sinew
