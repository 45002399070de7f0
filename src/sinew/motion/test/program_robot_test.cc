// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/program_robot.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "sinew/model/load_robot.h"
#include "sinew/motion/arm_solver.h"

namespace sinew {
namespace {

TEST(ProgramRobotTest, KnowsTheFramesOfRobotYamlFromItsOwnBase) {
  auto robot = load_robot("ur5e");
  ASSERT_TRUE(robot) << robot.error().message;
  RobotModel& model = robot->model;
  const Pose X_RU{.rotation = quaternion_from({0.0, 0.0, 0.5}), .position = {0.4, 0.1, 0.2}};
  model.frames.push_back({.name = "table", .X_RU = X_RU});
  const auto arm = ProgramRobot::make(model, "");
  ASSERT_TRUE(arm) << arm.error().message;
  const auto X_BU = arm->frame("table");
  ASSERT_TRUE(X_BU);
  const auto X_RB = fixed_place(model, model.arms[0].base_link);
  ASSERT_TRUE(X_RB);
  EXPECT_LT(((*X_RB * *X_BU).position - X_RU.position).norm(), 1e-12);
  EXPECT_LT((*X_RB * *X_BU).rotation.angularDistance(X_RU.rotation), 1e-9);
  const auto names = arm->names(language::NameKind::Frame);
  ASSERT_TRUE(names);
  EXPECT_NE(std::ranges::find(*names, "table"), names->end());
  EXPECT_FALSE(arm->frame("tray"));
}

TEST(ProgramRobotTest, ARobotWithoutAnArmIsToldSo) {
  const auto robot = load_robot("p3at");
  ASSERT_TRUE(robot) << robot.error().message;
  for (const char* name : {"", "arm"}) {
    const auto found = arm_named(robot->model, name);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().message, "the robot has no arm; name one under arms: in its robot.yaml");
  }
}

// programs that were written for one robot run on another with its own tool
TEST(ProgramRobotTest, TcpIsTheToolTipOfEveryRobot) {
  for (const auto& [name, tool] :
       {std::pair{"yarc-mobile", "gripper"}, {"yarc-industrial", "TCP"}, {"ur5e", ""}}) {
    const auto robot = load_robot(name);
    ASSERT_TRUE(robot) << robot.error().message;
    const auto arm = ProgramRobot::make(robot->model, "");
    ASSERT_TRUE(arm) << arm.error().message;
    const Arm& described = robot->model.arms[0];
    const Pose X_FT = described.tools.empty() ? Pose{} : *arm->tool(described.tools.front().name);
    EXPECT_EQ(described.tools.empty() ? "" : described.tools.front().name, tool);
    for (const char* spelling : {"TCP", "tcp", "Tcp"}) {
      const auto found = arm->tool(spelling);
      ASSERT_TRUE(found) << name << ": " << spelling;
      EXPECT_LT(distance(*found, X_FT).position, 1e-12);
    }
    EXPECT_FALSE(arm->tool("TPC"));
  }
  const auto mobile = load_robot("yarc-mobile");
  EXPECT_TRUE(ProgramRobot::make(mobile->model, "")->tool("GRIPPER")) << "whatever its case";
}

}  // namespace
}  // namespace sinew
