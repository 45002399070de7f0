// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/kinematics/chain_choice.h"
#include "sinew/kinematics/sample_arms.h"
#include "sinew/kinematics/sinew_robot.h"

namespace sinew {
namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

struct CloseRobot {
  void operator()(sinew_robot* robot) const { sinew_robot_close(robot); }
};
using OpenRobot = std::unique_ptr<sinew_robot, CloseRobot>;

OpenRobot open_robot(const sinew_robot_options& options) {
  sinew_robot_error error{};
  OpenRobot robot(sinew_robot_open(&options, &error));
  EXPECT_NE(robot, nullptr) << error.text;
  return robot;
}

sinew_robot_error refusal(const sinew_robot_options& options) {
  sinew_robot_error error{};
  EXPECT_EQ(sinew_robot_open(&options, &error), nullptr);
  return error;
}

/// Rows of joints within the limits of the robot.
std::vector<double> draw_rows(const sinew_robot* robot, std::size_t count, arms::Random& random) {
  std::vector<double> rows;
  for (std::size_t i = 0; i < count * sinew_robot_joint_count(robot); ++i) {
    sinew_robot_joint_info joint{};
    EXPECT_EQ(sinew_robot_joint(robot, i % sinew_robot_joint_count(robot), &joint), SINEW_ROBOT_OK);
    rows.push_back(arms::draw(random, std::max(joint.lower, -3.0), std::min(joint.upper, 3.0)));
  }
  return rows;
}

double off(const sinew_pose& a, const sinew_pose& b) {
  return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z);
}

TEST(RobotInC, SaysWhatItIs) {
  const OpenRobot robot = open_robot({.robot = "ur5e"});
  EXPECT_STREQ(sinew_robot_name(robot.get()), "ur5e");
  EXPECT_STREQ(sinew_robot_tip(robot.get()), "wrist_3_link");
  EXPECT_STREQ(sinew_robot_method(robot.get()), "closed form: parallel axes");
  ASSERT_EQ(sinew_robot_joint_count(robot.get()), 6U);
  sinew_robot_joint_info joint{};
  ASSERT_EQ(sinew_robot_joint(robot.get(), 0, &joint), SINEW_ROBOT_OK);
  EXPECT_STREQ(joint.name, "shoulder_pan_joint");
  EXPECT_LT(joint.lower, joint.upper);
  EXPECT_NE(joint.is_revolute, 0);
  EXPECT_EQ(sinew_robot_joint(robot.get(), 6, &joint), SINEW_ROBOT_INVALID);
}

TEST(RobotInC, AgreesWithCPlusPlus) {
  arms::Random random{1};
  const OpenRobot robot = open_robot({.robot = "panda"});
  const auto chosen = choose_chain({.robot = "panda"});
  ASSERT_TRUE(chosen);
  const std::vector<double> q = draw_rows(robot.get(), 10, random);
  std::vector<sinew_pose> poses(10);
  std::vector<double> jacobians(10 * 6 * 7);
  ASSERT_EQ(sinew_robot_fk(robot.get(), q.data(), 10, poses.data(), nullptr), SINEW_ROBOT_OK);
  ASSERT_EQ(sinew_robot_jacobian(robot.get(), q.data(), 10, jacobians.data(), nullptr), SINEW_ROBOT_OK);
  for (std::size_t i = 0; i < 10; ++i) {
    Jacobian jacobian;
    chosen->chain.tool_pose({q.data() + 7 * i, 7}, jacobian);
    const Pose X_BT = chosen->chain.tool_pose({q.data() + 7 * i, 7});
    EXPECT_EQ(Vector3(poses[i].x, poses[i].y, poses[i].z), X_BT.position);
    EXPECT_EQ(poses[i].qw, X_BT.rotation.w());
    EXPECT_EQ(poses[i].qz, X_BT.rotation.z());
    EXPECT_EQ(jacobians[i * 42 + 7 * 4 + 2], jacobian(4, 2));
  }
}

TEST(RobotInC, EveryShippedArmReturnsToWhereItCameFrom) {
  arms::Random random{2};
  for (const auto& options :
       {sinew_robot_options{.robot = "ur5e"}, sinew_robot_options{.robot = "panda"},
        sinew_robot_options{.robot = "scorbot-er3"}, sinew_robot_options{.robot = "mds", .arm = "right"},
        sinew_robot_options{.robot = "yarc-industrial", .tool = "TCP"}}) {
    SCOPED_TRACE(options.robot);
    const OpenRobot robot = open_robot(options);
    ASSERT_NE(robot, nullptr);
    const std::size_t width = sinew_robot_joint_count(robot.get());
    constexpr std::size_t kCount = 50;
    const std::vector<double> q = draw_rows(robot.get(), kCount, random);
    std::vector<sinew_pose> targets(kCount);
    std::vector<sinew_pose> reached(kCount);
    std::vector<double> found(kCount * width);
    std::vector<sinew_ik_result> results(kCount);
    ASSERT_EQ(sinew_robot_fk(robot.get(), q.data(), kCount, targets.data(), nullptr), SINEW_ROBOT_OK);
    ASSERT_EQ(sinew_robot_ik_batch(robot.get(), targets.data(), kCount, nullptr, found.data(), results.data(),
                                   nullptr),
              SINEW_ROBOT_OK);
    ASSERT_EQ(sinew_robot_fk(robot.get(), found.data(), kCount, reached.data(), nullptr), SINEW_ROBOT_OK);
    for (std::size_t i = 0; i < kCount; ++i) {
      EXPECT_EQ(results[i].reason, SINEW_IK_SOLVED);
      EXPECT_LE(off(targets[i], reached[i]), 1e-6);
    }
  }
}

TEST(RobotInC, AllSolutionsTheNearestToTheSeedFirst) {
  const OpenRobot robot = open_robot({.robot = "ur5e"});
  const std::vector<double> q = {0.3, -1.2, 1.1, -0.7, 0.9, 0.2};
  sinew_pose target{};
  ASSERT_EQ(sinew_robot_fk(robot.get(), q.data(), 1, &target, nullptr), SINEW_ROBOT_OK);
  const sinew_ik_options options{.seed = q.data()};
  std::vector<double> all(8 * 6, kNotANumber);
  sinew_ik_result result{};
  ASSERT_EQ(sinew_robot_ik(robot.get(), &target, &options, all.data(), 8, &result, nullptr), SINEW_ROBOT_OK);
  EXPECT_EQ(result.solution_count, 8);
  EXPECT_NE(result.is_closed_form, 0);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(all[i], q[i], 1e-6);
  std::vector<sinew_pose> reached(8);
  ASSERT_EQ(sinew_robot_fk(robot.get(), all.data(), 8, reached.data(), nullptr), SINEW_ROBOT_OK);
  for (const sinew_pose& pose : reached) EXPECT_LE(off(pose, target), 1e-6);
  // only as many rows as there is room for
  std::vector<double> two(3 * 6, kNotANumber);
  ASSERT_EQ(sinew_robot_ik(robot.get(), &target, &options, two.data(), 2, &result, nullptr), SINEW_ROBOT_OK);
  EXPECT_EQ(result.solution_count, 8);
  EXPECT_TRUE(std::isfinite(two[11]));
  EXPECT_TRUE(std::isnan(two[12]));
}

TEST(RobotInC, WhatCannotBeReachedSaysWhy) {
  const OpenRobot robot = open_robot({.robot = "ur5e"});
  const sinew_pose target{.x = 9.0, .qw = 1.0};
  std::vector<double> q(6, kNotANumber);
  sinew_ik_result result{};
  sinew_robot_error error{};
  EXPECT_EQ(sinew_robot_ik(robot.get(), &target, nullptr, q.data(), 1, &result, &error),
            SINEW_ROBOT_UNREACHABLE);
  EXPECT_EQ(result.reason, SINEW_IK_OUT_OF_REACH);
  EXPECT_STREQ(sinew_ik_reason_text(result.reason), "out of reach");
  EXPECT_GT(result.position_error, 7.0);
  EXPECT_EQ(result.limit_joint, -1);
  EXPECT_NE(std::string(error.text).find("'wrist_3_link' cannot be put there: out of reach"),
            std::string::npos);
  EXPECT_TRUE(std::isfinite(q[5])) << "the nearest posture";
}

TEST(RobotInC, ComponentsMayBeFree) {
  const OpenRobot robot = open_robot({.robot = "mds", .arm = "left"});
  const sinew_pose target{.x = 0.3, .y = 0.2, .qw = 1.0};
  const sinew_ik_options position_only{.components = 7};
  std::vector<double> q(6);
  ASSERT_EQ(sinew_robot_ik(robot.get(), &target, &position_only, q.data(), 1, nullptr, nullptr),
            SINEW_ROBOT_OK);
  sinew_pose reached{};
  ASSERT_EQ(sinew_robot_fk(robot.get(), q.data(), 1, &reached, nullptr), SINEW_ROBOT_OK);
  EXPECT_LE(off(reached, target), 1e-6);
}

TEST(RobotInC, RefusesNotANumber) {
  const OpenRobot robot = open_robot({.robot = "ur5e"});
  std::vector<double> q(12, 0.0);
  q[8] = kNotANumber;
  std::vector<sinew_pose> poses(2);
  std::vector<double> table(72);
  sinew_robot_error error{};
  EXPECT_EQ(sinew_robot_fk(robot.get(), q.data(), 2, poses.data(), &error), SINEW_ROBOT_INVALID);
  EXPECT_STREQ(error.text, "q, row 1, joint 'elbow_joint': nan is no finite number");
  EXPECT_EQ(sinew_robot_jacobian(robot.get(), q.data(), 2, table.data(), nullptr), SINEW_ROBOT_INVALID);
  const sinew_ik_options bad_seed{.seed = q.data() + 6};
  const sinew_pose target{.x = 0.3, .qw = 1.0};
  EXPECT_EQ(sinew_robot_ik(robot.get(), &target, &bad_seed, table.data(), 1, nullptr, &error),
            SINEW_ROBOT_INVALID);
  const sinew_pose bad_target{.x = kNotANumber, .qw = 1.0};
  EXPECT_EQ(sinew_robot_ik(robot.get(), &bad_target, nullptr, table.data(), 1, nullptr, &error),
            SINEW_ROBOT_INVALID);
  const sinew_pose no_rotation{.x = 0.3};
  sinew_ik_result result{};
  EXPECT_EQ(sinew_robot_ik_batch(robot.get(), &no_rotation, 1, nullptr, table.data(), &result, nullptr),
            SINEW_ROBOT_OK);
  EXPECT_EQ(result.reason, SINEW_IK_INVALID);
  for (const sinew_ik_options& options :
       {sinew_ik_options{.tolerance = kNotANumber}, sinew_ik_options{.tolerance = -1.0},
        sinew_ik_options{.components = 64}, sinew_ik_options{.most_rounds = 4'000'000'000}}) {
    EXPECT_EQ(sinew_robot_ik(robot.get(), &target, &options, table.data(), 1, nullptr, nullptr),
              SINEW_ROBOT_INVALID);
  }
}

TEST(RobotInC, RefusesWhatIsNotThere) {
  EXPECT_EQ(refusal({}).status, SINEW_ROBOT_INVALID);
  const sinew_robot_error unknown = refusal({.robot = "ur5f"});
  EXPECT_EQ(unknown.status, SINEW_ROBOT_NOT_FOUND);
  EXPECT_NE(std::string(unknown.text).find("did you mean 'ur5e'?"), std::string::npos) << unknown.text;
  EXPECT_STREQ(refusal({.robot = "mds"}).text,
               "robot 'mds' has the arms left, right: choose one with --arm (in programs: arm)");
  EXPECT_STREQ(refusal({.robot = "mds", .arm = "middle"}).text,
               "robot 'mds' has no arm 'middle'; there are left, right");
  EXPECT_STREQ(refusal({.robot = "ur5e", .tip = "wrist_3_lonk"}).text,
               "robot 'ur5e' has no link 'wrist_3_lonk' (did you mean 'wrist_3_link'?)");
  EXPECT_EQ(sinew_robot_open(nullptr, nullptr), nullptr);
  sinew_robot_close(nullptr);
}

TEST(RobotInC, MatricesAndPosesAreTheSame) {
  arms::Random random{3};
  const OpenRobot robot = open_robot({.robot = "panda"});
  const std::vector<double> q = draw_rows(robot.get(), 20, random);
  std::vector<sinew_pose> poses(20);
  std::vector<sinew_pose> back(20);
  std::vector<double> matrices(20 * 16);
  ASSERT_EQ(sinew_robot_fk(robot.get(), q.data(), 20, poses.data(), nullptr), SINEW_ROBOT_OK);
  sinew_pose_to_matrix(poses.data(), 20, matrices.data());
  ASSERT_EQ(sinew_pose_from_matrix(matrices.data(), 20, back.data(), nullptr), SINEW_ROBOT_OK);
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_EQ(matrices[16 * i + 7], poses[i].y);
    const double same = poses[i].qw * back[i].qw + poses[i].qx * back[i].qx + poses[i].qy * back[i].qy +
                        poses[i].qz * back[i].qz;
    EXPECT_NEAR(std::abs(same), 1.0, 1e-12);
    EXPECT_EQ(off(poses[i], back[i]), 0.0);
  }
  for (const auto& [place, value] : {std::pair{0, 2.0}, std::pair{3, kNotANumber}, std::pair{12, 1.0}}) {
    std::vector<double> bad(matrices.begin(), matrices.begin() + 16);
    bad[static_cast<std::size_t>(place)] = value;
    EXPECT_EQ(sinew_pose_from_matrix(bad.data(), 1, back.data(), nullptr), SINEW_ROBOT_INVALID) << place;
  }
}

TEST(RobotInC, ManyThreadsShareOneRobot) {
  arms::Random random{4};
  const OpenRobot robot = open_robot({.robot = "panda"});
  constexpr std::size_t kCount = 40;
  const std::vector<double> q = draw_rows(robot.get(), kCount, random);
  std::vector<sinew_pose> targets(kCount);
  ASSERT_EQ(sinew_robot_fk(robot.get(), q.data(), kCount, targets.data(), nullptr), SINEW_ROBOT_OK);
  std::vector<std::vector<double>> answers(4, std::vector<double>(kCount * 7));
  std::vector<std::thread> threads;
  for (std::vector<double>& answer : answers) {
    threads.emplace_back([&] {
      std::vector<sinew_ik_result> results(kCount);
      EXPECT_EQ(sinew_robot_ik_batch(robot.get(), targets.data(), kCount, nullptr, answer.data(),
                                     results.data(), nullptr),
                SINEW_ROBOT_OK);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<double>& answer : answers) EXPECT_EQ(answer, answers[0]);
}

}  // namespace
}  // namespace sinew
