// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/kinematics/torque_check.h"

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/base/split_mix.h"
#include "sinew/model/load_robot.h"

namespace sinew {
namespace {

constexpr double kGravity = 9.81;

/// Two bars of 1 m in a vertical plane, a mass at the end of each: what textbooks reckon by hand.
RobotModel two_bars(double first_mass, double second_mass) {
  RobotModel model{.name = "bars"};
  model.links.resize(3);
  const std::array masses{first_mass, second_mass};
  for (std::size_t i = 0; i < 2; ++i) {
    model.joints.push_back({.name = i == 0 ? "shoulder" : "elbow",
                            .kind = JointKind::Revolute,
                            .parent_link = i,
                            .child_link = i + 1,
                            .X_PJ = {.position = {i == 0 ? 0.0 : 1.0, 0.0, 0.0}},
                            .axis = -Vector3::UnitY(),
                            .limits = {.lower = -3.0,
                                       .upper = 3.0,
                                       .velocity = 2.0,
                                       .acceleration = 4.0,
                                       .jerk = 40.0,
                                       .effort = 100.0},
                            .position = i});
    model.positions.push_back(i);
    model.links[i].name = "link" + std::to_string(i);
    model.links[i].child_joints = {i};
    model.links[i + 1].parent_joint = i;
    model.links[i + 1].inertia = Inertia{.mass = masses[i], .p_LC = {1.0, 0.0, 0.0}};
    model.links[i + 1].collisions = {Shape{.half_extents = {0.5, 0.01, 0.01}}};
  }
  model.links[2].name = "link2";
  return model;
}

TEST(InverseDynamics, IsWhatTextbooksSayOfTwoBars) {
  const double m1 = 3.0;
  const double m2 = 2.0;
  const RobotModel model = two_bars(m1, m2);
  InverseDynamics dynamics(model);
  SplitMix random(3);
  for (int i = 0; i < 200; ++i) {
    const auto drawn = [&] { return std::array{random.between(-3, 3), random.between(-3, 3)}; };
    const auto q = drawn();
    const auto v = drawn();
    const auto a = drawn();
    std::array<double, 2> effort{};
    dynamics.compute({.q = q, .v = v, .a = a}, effort);
    // Craig, Introduction to Robotics, equation 6.58, all lengths one
    const double c2 = std::cos(q[1]);
    const double s2 = std::sin(q[1]);
    const double c1 = std::cos(q[0]);
    const double c12 = std::cos(q[0] + q[1]);
    const double second = m2 * (a[0] + a[1]) + m2 * c2 * a[0] + m2 * s2 * v[0] * v[0] + m2 * kGravity * c12;
    const double first = m2 * (a[0] + a[1]) + m2 * c2 * (2.0 * a[0] + a[1]) + (m1 + m2) * a[0] -
                         m2 * s2 * v[1] * v[1] - 2.0 * m2 * s2 * v[0] * v[1] + m2 * kGravity * c12 +
                         (m1 + m2) * kGravity * c1;
    ASSERT_NEAR(effort[0], first, 1e-9);
    ASSERT_NEAR(effort[1], second, 1e-9);
  }
}

TEST(InverseDynamics, APayloadCountsAsAMassOfItsLink) {
  const RobotModel heavy = two_bars(3.0, 2.5);
  const RobotModel light = two_bars(3.0, 2.0);
  InverseDynamics of_heavy(heavy);
  InverseDynamics of_light(light);
  of_light.set_payload(2, 0.5, {1.0, 0.0, 0.0});
  const std::array q{0.3, -1.1};
  const std::array v{1.0, 0.5};
  const std::array a{-2.0, 3.0};
  std::array<double, 2> expected{};
  std::array<double, 2> effort{};
  of_heavy.compute({.q = q, .v = v, .a = a}, expected);
  of_light.compute({.q = q, .v = v, .a = a}, effort);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(effort[i], expected[i], 1e-12);
  of_light.set_payload(2, 0.0, {});
  of_light.compute({.q = q, .v = v, .a = a}, effort);
  EXPECT_GT(std::abs(effort[0] - expected[0]), 1.0);
}

TEST(TorqueCheck, FindsTheWorstPosture) {
  const RobotModel model = two_bars(3.0, 2.0);
  const TorqueCheck check = check_torques(model);
  ASSERT_EQ(check.joints.size(), 2U);
  // stretched out level
  EXPECT_NEAR(check.joints[0].holding, kGravity * (3.0 + 2.0 * 2.0), 0.1);
  EXPECT_NEAR(check.joints[1].holding, kGravity * 2.0, 0.02);
  // the inertia stretched is 3 + 2·4, and the elbow's acceleration adds 2·2
  EXPECT_NEAR(check.joints[0].together, kGravity * 7.0 + 4.0 * (11.0 + 4.0), 0.5);
  EXPECT_NEAR(check.joints[0].alone, kGravity * 7.0 + 4.0 * 11.0, 0.5);
  EXPECT_NEAR(check.joints[0].acceleration, (kPlannedEffort * 100.0 - kGravity * 7.0) / 11.0, 0.05);
}

TEST(TorqueCheck, SaysWithWhichJointAndHowMuchIsMissing) {
  RobotModel model = two_bars(3.0, 2.0);
  // 68.7 N·m to hold, 112.7 alone, 128.7 together
  const auto said = [&](double effort) {
    model.joints[0].limits.effort = effort;
    const auto remarks = torque_remarks(model, check_torques(model));
    return remarks.empty() ? TorqueRemark{} : remarks.front();
  };
  EXPECT_TRUE(said(140.0).what.empty());
  const TorqueRemark together = said(120.0);
  EXPECT_EQ(together.what, "'shoulder' needs 129 N·m when all joints accelerate at once, and has 120 N·m");
  const TorqueRemark alone = said(80.0);
  EXPECT_EQ(alone.what, "'shoulder' needs 113 N·m at its limits of speed and acceleration and has 80 N·m");
  EXPECT_EQ(alone.remedy, "at full speed it can reach 38.2 deg/s²: lower its acceleration");
  EXPECT_FALSE(alone.cannot_hold);
  const TorqueRemark holding = said(60.0);
  EXPECT_TRUE(holding.cannot_hold);
  EXPECT_TRUE(
      holding.what.starts_with("'shoulder' needs 68.7 N·m to hold the robot and has 60 N·m, worst at "))
      << holding.what;
}

TEST(TorqueCheck, SaysWhatItDoesNotKnow) {
  RobotModel model = two_bars(3.0, 2.0);
  model.joints[0].limits.effort = 200.0;
  model.joints[1].limits.effort = 0.0;
  auto remarks = torque_remarks(model, check_torques(model));
  ASSERT_EQ(remarks.size(), 1U);
  EXPECT_EQ(remarks[0].what, "torque is not checked of elbow: no effort is given");
  model.links[2].inertia.reset();
  remarks = torque_remarks(model, check_torques(model));
  ASSERT_EQ(remarks.size(), 2U);
  EXPECT_EQ(remarks[0].what, "torque is not checked: no mass is given of link2");
  EXPECT_FALSE(remarks[0].cannot_hold);
}

TEST(TorqueCheck, SaysWhatIsTooHeavy) {
  const RobotModel model = two_bars(3.0, 2.0);
  EXPECT_EQ(too_heavy_sentence(model, {.link = 2, .mass = 1.0, .p_LC = {1.0, 0.0, 0.0}}), "");
  const std::string said = too_heavy_sentence(model, {.link = 2, .mass = 2.0, .p_LC = {1.0, 0.0, 0.0}});
  EXPECT_TRUE(said.starts_with("'shoulder' needs 108 N·m to hold it and has 100 N·m, worst at ")) << said;
}

// robots/*: what is stated can be done, by each joint and by all together, with the payload that is stated
TEST(ShippedRobots, HaveMotorsForTheirLimits) {
  const LoadOptions places = usual_places();
  const std::vector<std::string> names = robot_names(places);
  ASSERT_GE(names.size(), 9U);
  for (const std::string& name : names) {
    const auto robot = load_robot(name, places);
    ASSERT_TRUE(robot) << robot.error().message;
    for (const std::size_t j : robot->model.positions) {
      const Joint& joint = robot->model.joints[j];
      EXPECT_TRUE(is_effort_known(joint.limits)) << name << " " << joint.name;
    }
    TorqueCheckOptions options;
    if (const auto stated = robot->settings.motion.find("payload"); stated != robot->settings.motion.end())
      options.payload = payload_at_tip(robot->model, 0, std::stod(stated->second));
    for (const TorqueRemark& remark : torque_remarks(robot->model, check_torques(robot->model, options)))
      ADD_FAILURE() << name << ": " << remark.what << "; " << remark.remedy;
  }
}

}  // namespace
}  // namespace sinew
