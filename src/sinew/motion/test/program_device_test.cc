// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/program_device.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace sinew {
namespace {

using language::GripperAction;
using language::GripperKind;

RobotModel robot_with_hand() {
  RobotModel model{.name = "hand"};
  model.links = {{.name = "palm", .child_joints = {0, 1}},
                 {.name = "left", .parent_joint = 0},
                 {.name = "right", .parent_joint = 1}};
  for (std::size_t i = 0; i < 2; ++i) {
    model.joints.push_back(
        {.name = i == 0 ? "left" : "right",
         .kind = JointKind::Prismatic,
         .parent_link = 0,
         .child_link = i + 1,
         .limits = {.lower = 0.0, .upper = 0.1, .velocity = 0.2, .acceleration = 1.0, .jerk = 10.0},
         .position = i});
    model.positions.push_back(i);
  }
  model.outputs = {{.name = "lamp", .number = 3},
                   {.name = "cup", .number = 4},
                   {.name = "wire", .number = 3, .is_analog = true}};
  model.grippers = {
      {.name = "hand",
       .joints = {{.position = 0, .open = 0.04, .closed = 0.0}, {.position = 1, .open = 0.0, .closed = 0.04}},
       .open_width = 0.08,
       .closed_width = 0.0,
       .speed = 0.1,
       .force = 40.0},
      {.name = "suction", .output = 1, .time = 0.3}};
  return model;
}

std::string refusal(const GripperAction& action, const RobotModel& model = robot_with_hand()) {
  const auto order = gripper_order(model, action, std::vector<double>{0.0, 0.0});
  return order ? "" : order.error().message;
}

TEST(ProgramDevice, AnOutputIsSwitchedOrGivenAValue) {
  const RobotModel model = robot_with_hand();
  const auto on = command_of(model, {.output = "lamp", .value = true});
  ASSERT_TRUE(on);
  EXPECT_EQ(on->output_mask, 8U);
  EXPECT_EQ(on->outputs, 8U);
  const auto off = command_of(model, {.output = "4", .value = false});
  ASSERT_TRUE(off);
  EXPECT_EQ(off->output_mask, 16U);
  EXPECT_EQ(off->outputs, 0U);
  const auto value = command_of(model, {.output = "wire", .value = 2.5});
  ASSERT_TRUE(value);
  EXPECT_EQ(value->output_mask, 0U);
  EXPECT_EQ(value->analog_output_mask, 8U);
  EXPECT_EQ(value->analog_outputs[3], 2.5);
  EXPECT_FALSE(command_of(model, {.output = "wire", .value = std::numeric_limits<double>::quiet_NaN()}));
  EXPECT_EQ(command_of(model, {.output = "wire", .value = true}).error().message,
            "output {wire} is analog and takes a number: SET {wire} = 5");
  EXPECT_EQ(command_of(model, {.output = "lmap", .value = true}).error().message,
            "there is no output {lmap} (did you mean 'lamp'?); known: lamp, cup, wire");
}

TEST(ProgramDevice, OfTwoCommandsTheLaterCountsOutputByOutput) {
  IoCommand command{.output_mask = 3, .outputs = 3};
  add_to(command, {.output_mask = 6, .outputs = 4});
  EXPECT_EQ(command.output_mask, 7U);
  EXPECT_EQ(command.outputs, 5U);
}

TEST(ProgramDevice, AGripperMovesItsJointsToItsWidthNoFasterThanItMay) {
  const RobotModel model = robot_with_hand();
  const auto order =
      gripper_order(model, {.gripper = "hand", .kind = GripperKind::Width, .width = 0.02, .speed = 0.05},
                    std::vector<double>{0.04, 0.0});
  ASSERT_TRUE(order) << order.error().message;
  EXPECT_EQ(order->joint_mask, 3U);
  EXPECT_NEAR(order->goal[0], 0.01, 1e-12);
  EXPECT_NEAR(order->goal[1], 0.03, 1e-12);
  double fastest = 0.0;
  for (double t = 0.0; t < order->trajectory.length(); t += 1e-3)
    fastest = std::max(fastest, std::abs(order->trajectory.at(0, t).first));
  // 50 mm/s of the width is half of it for each finger
  EXPECT_NEAR(fastest, 0.025, 1e-4);
}

TEST(ProgramDevice, AGripperOnAnOutputIsSwitchedAndWaitedFor) {
  const auto order = gripper_order(robot_with_hand(), {.gripper = "suction", .kind = GripperKind::Close},
                                   std::vector<double>{0.0, 0.0});
  ASSERT_TRUE(order);
  EXPECT_EQ(order->joint_mask, 0U);
  EXPECT_EQ(order->io.outputs, 16U);
  EXPECT_EQ(order->time, 0.3);
}

TEST(ProgramDevice, RefusesWhatAGripperCannotDo) {
  EXPECT_EQ(refusal({}), "which GRIPPER is meant must be said; known: hand, suction");
  EXPECT_EQ(refusal({.gripper = "hnad"}),
            "there is no gripper {hnad} (did you mean 'hand'?); known: hand, suction");
  EXPECT_EQ(refusal({.gripper = "hand", .kind = GripperKind::Width, .width = 0.09}),
            "gripper {hand} opens to 80.0 mm, and 90.0 mm are asked for");
  EXPECT_EQ(refusal({.gripper = "hand", .force = 41.0}),
            "gripper {hand} has at most 40 N, and 41 N are asked for");
  EXPECT_EQ(refusal({.gripper = "suction", .kind = GripperKind::Width, .width = 0.01}),
            "gripper {suction} hangs on an output: it opens and closes, and has no width");
  RobotModel unused = robot_with_hand();
  unused.joints[1].is_enabled = false;
  EXPECT_EQ(refusal({.gripper = "hand"}, unused),
            "gripper {hand} needs joint 'right', which is not in use; see 'enabled' in robot.yaml");
}

}  // namespace
}  // namespace sinew
