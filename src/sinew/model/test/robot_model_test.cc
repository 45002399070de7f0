// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/model/robot_model.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

// base ── shoulder ── upper ── elbow ── lower, and a lamp that hangs on the base
RobotModel two_joints_and_a_lamp() {
  RobotModel model;
  model.links = {{.name = "base", .child_joints = {0, 2}},
                 {.name = "upper", .parent_joint = 0, .child_joints = {1}},
                 {.name = "lower", .parent_joint = 1},
                 {.name = "lamp", .parent_joint = 2}};
  model.joints = {{.name = "shoulder",
                   .aliases = {"LSP"},
                   .kind = JointKind::Revolute,
                   .parent_link = 0,
                   .child_link = 1},
                  {.name = "elbow", .kind = JointKind::Revolute, .parent_link = 1, .child_link = 2},
                  {.name = "mount", .parent_link = 0, .child_link = 3}};
  model.positions = {0, 1};
  return model;
}

TEST(RobotModelTest, FindsPartsByNameAndByAlias) {
  const RobotModel model = two_joints_and_a_lamp();
  EXPECT_EQ(find_link(model, "lower"), 2U);
  EXPECT_EQ(find_joint(model, "elbow"), 1U);
  EXPECT_EQ(find_joint(model, "LSP"), 0U);
  EXPECT_EQ(find_joint(model, "knee"), kNone);
  EXPECT_EQ(find_arm(model, "left"), kNone);
}

TEST(RobotModelTest, KnowsTheWayFromBaseToTip) {
  const RobotModel model = two_joints_and_a_lamp();
  EXPECT_EQ(joints_between(model, 0, 2), (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(joints_between(model, 1, 2), (std::vector<std::size_t>{1}));
  EXPECT_EQ(joints_between(model, 2, 2), (std::vector<std::size_t>{}));
  EXPECT_EQ(joints_between(model, 1, 3), std::nullopt);
}

}  // namespace
}  // namespace sinew
