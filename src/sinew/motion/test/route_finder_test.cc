// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/route_finder.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/base/fixed_string.h"
#include "sinew/model/load_robot.h"
#include "sinew/model/positions.h"
#include "sinew/motion/arm_solver.h"
#include "sinew/motion/deterministic.h"

namespace sinew {
namespace {

// every way that is found keeps the margin, and many that are not straight are found
TEST(RouteFinderTest, FindsWaysRoundAPost) {
  const auto robot = load_robot("mds");
  ASSERT_TRUE(robot);
  const RobotModel& model = robot->model;
  auto routes = RouteFinder::make(model, 0.01);
  ASSERT_TRUE(routes);
  const auto shapes = RobotShapes::make(model, {.margin = 0.01});
  CollisionChecker checker(*shapes);
  Obstacles world;
  Obstacle post{.solid = make_box({0.02, 0.02, 0.5}), .X_LO = {.position = {0.35, 0.25, 1.2}}};
  set_text(post.name, "post");
  ASSERT_TRUE(world.add(post));
  checker.set_world(world);
  ASSERT_TRUE((*routes)->set_world(world));
  const std::uint64_t left = arm_mask(model, model.arms[0]);
  const Posture home = starting_positions(model);
  std::uint64_t seed = 11;
  int straight = 0;
  int around = 0;
  int blocked = 0;
  for (int i = 0; i < 150; ++i) {
    RouteTask task{.from = home, .goals = {home}, .home = home, .joint_mask = left};
    for (std::size_t k = 0; k < home.size(); ++k) {
      if ((left >> k & 1) == 0) continue;
      task.from[k] = between(model.joints[model.positions[k]].limits, seed);
      task.goals[0][k] = between(model.joints[model.positions[k]].limits, seed);
    }
    if (!checker.is_clear(task.from) || !checker.is_clear(task.goals[0])) continue;
    const bool is_straight = checker.sweep(task.from, task.goals[0]).verdict == Verdict::Clear;
    const Route route = (*routes)->find(task);
    if (route.stops.empty()) {
      ++blocked;
      EXPECT_FALSE(route.words.empty());
      continue;
    }
    ++(is_straight ? straight : around);
    Posture from = task.from;
    for (const Posture& stop : route.stops) {
      EXPECT_EQ(checker.sweep(from, stop).verdict, Verdict::Clear);
      from = stop;
    }
    EXPECT_EQ(from, task.goals[0]);
  }
  RecordProperty("straight", straight);
  RecordProperty("around", around);
  RecordProperty("blocked", blocked);
  EXPECT_GT(straight, 3);
  EXPECT_GT(around, 3);
  EXPECT_LE(blocked, around);
}

// the goals of the task touch something, and so do the first that are asked for
TEST(RouteFinderTest, AsksForFurtherGoalsWhileNoneIsClear) {
  const auto robot = load_robot("panda");
  ASSERT_TRUE(robot);
  const RobotModel& model = robot->model;
  const auto arm = *ArmSolver::make(model, "", "");
  auto routes = *RouteFinder::make(model, 0.01);
  const Posture home = starting_positions(model);
  const auto turned = [&](double by) {
    Posture q = home;
    q[0] += by;
    return q;
  };
  Obstacles world;
  Obstacle ball{.solid = make_sphere(0.05), .X_LO = {.position = arm->tool_pose(turned(1.2)).position}};
  set_text(ball.name, "ball");
  ASSERT_TRUE(world.add(ball));
  ASSERT_TRUE(routes->set_world(world));
  RouteTask task{
      .from = home, .goals = {turned(1.2), turned(1.21)}, .home = home, .joint_mask = arm->joint_mask()};
  const Route blocked = routes->find(task);
  EXPECT_TRUE(blocked.stops.empty());
  EXPECT_EQ(
      blocked.words.find("no clear posture for the goal was found: 2 looked at; in the nearest to clear "),
      0U)
      << blocked.words;
  EXPECT_NE(blocked.words.find("ball"), std::string::npos) << blocked.words;
  int asked = 0;
  task.more_goals = [&] {
    ++asked;
    return std::vector<Posture>{turned(asked < 50 ? 1.19 : -0.8)};
  };
  const Route route = routes->find(task);
  ASSERT_EQ(route.stops.size(), 1U) << route.words;
  EXPECT_EQ(route.stops.front(), turned(-0.8));
  EXPECT_EQ(route.goals.front(), turned(-0.8));
}

TEST(ArmSolverTest, FurtherPosturesOfAnArmWithAJointToSpareAllReachTheGoal) {
  const auto robot = load_robot("panda");
  ASSERT_TRUE(robot);
  const auto arm = *ArmSolver::make(robot->model, "", "");
  const Posture home = starting_positions(robot->model);
  const ToolGoal goal{.components = {.mask = 63}, .X_BT = arm->tool_pose(home)};
  auto more = arm->more_postures(goal, arm->own_joints(home));
  ASSERT_TRUE(more);
  double least = 1e9;
  double most = -1e9;
  for (int i = 0; i < 10; ++i) {
    const std::vector<JointVector> postures = more();
    ASSERT_FALSE(postures.empty());
    for (const JointVector& q : postures) {
      const PoseDistance off = distance(arm->chain().tool_pose({q.data(), arm->chain().size()}), goal.X_BT);
      ASSERT_LT(off.position + off.rotation, 1e-5);
      least = std::min(least, q[6]);
      most = std::max(most, q[6]);
    }
  }
  // of its last joint, all that reaches
  EXPECT_GT(most - least, 1.0);
}

TEST(RouteFinderTest, RefusesAWorldThatTheWorkspaceLeavesNoRoomFor) {
  auto robot = load_robot("mds");
  ASSERT_TRUE(robot);
  robot->model.workspace.push_back({.name = "floor", .kind = WorkspaceKind::Plane});
  auto routes = RouteFinder::make(robot->model, 0.01);
  ASSERT_TRUE(routes);
  Obstacles world;
  for (std::size_t i = 0; i < kMaxObstacles; ++i) {
    Obstacle post{.solid = make_sphere(0.01), .X_LO = {.position = {3.0, 3.0, static_cast<double>(i)}}};
    set_text(post.name, std::to_string(i));
    ASSERT_TRUE(world.add(post));
  }
  const Status refused = (*routes)->set_world(world);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("128 objects and"), std::string::npos) << refused.error().message;
}

}  // namespace
}  // namespace sinew
