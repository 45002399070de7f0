// SPDX-License-Identifier: BSD-3-Clause
// The robots shipped, against the figures that were published about them.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/model/actuation.h"
#include "sinew/model/load_robot.h"

namespace sinew {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;

LoadedRobot shipped(const std::string& name) {
  auto robot = load_robot(name);
  EXPECT_TRUE(robot) << robot.error().message;
  return robot ? std::move(*robot) : LoadedRobot{};
}

double joint_value(const RobotModel& model, const Joint& joint, const std::vector<double>& q) {
  if (joint.mimic) {
    return joint.mimic->factor * joint_value(model, model.joints[joint.mimic->joint], q) +
           joint.mimic->offset;
  }
  return joint.position == kNone ? 0.0 : q[joint.position];
}

// Forward kinematics in five lines, independent of the room that does it for a living.
Pose pose_between(const RobotModel& model, std::size_t base, std::size_t tip, const std::vector<double>& q) {
  Pose X_BT;
  const auto path = joints_between(model, base, tip);
  EXPECT_TRUE(path);
  if (!path) return X_BT;
  for (const std::size_t j : *path) {
    const Joint& joint = model.joints[j];
    const double value = joint_value(model, joint, q);
    const Pose motion = joint.kind == JointKind::Prismatic
                            ? Pose{.position = joint.axis * value}
                            : Pose{.rotation = Quaternion(Eigen::AngleAxisd(value, joint.axis))};
    X_BT = X_BT * joint.X_PJ * motion;
  }
  return X_BT;
}

Pose flange_pose(const RobotModel& model, const std::string& arm_name, const std::vector<double>& q) {
  const Arm& arm = model.arms[find_arm(model, arm_name)];
  return pose_between(model, arm.base_link, arm.tip_link, q);
}

std::vector<double> posture(const RobotModel& model, const std::string& name) {
  for (const NamedPosture& known : model.postures) {
    if (known.name == name) return known.positions;
  }
  ADD_FAILURE() << "no posture " << name;
  return {};
}

void expect_near(const Vector3& a, const Vector3& b, double tolerance) {
  EXPECT_LE((a - b).cwiseAbs().maxCoeff(), tolerance) << a.transpose() << " is not " << b.transpose();
}

TEST(RobotsTest, AreAllThereAndLoadWithoutARemark) {
  const std::vector<std::string> names = robot_names(usual_places());
  for (const char* name : {"betabots", "kr60", "mds", "p3at", "panda", "scorbot-er3", "ur5e",
                           "yarc-industrial", "yarc-mobile"}) {
    EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
  }
  for (const std::string& name : names) {
    const LoadedRobot robot = shipped(name);
    for (const Remark& remark : robot.remarks) ADD_FAILURE() << remark_text(remark);
    EXPECT_EQ(robot.model.name, name);
    for (const Link& link : robot.model.links) {
      EXPECT_EQ(link.inertia.has_value(), !link.collisions.empty()) << name << ": " << link.name;
      EXPECT_EQ(link.visuals.size(), link.collisions.size()) << name << ": " << link.name;
    }
    for (const std::size_t j : robot.model.positions) {
      const JointLimits& limits = robot.model.joints[j].limits;
      EXPECT_TRUE(std::isfinite(limits.velocity + limits.acceleration + limits.jerk + limits.effort))
          << name << ": " << robot.model.joints[j].name;
    }
    const std::vector<double> home = posture(robot.model, "home");
    const bool is_fleet_home = name == "yarc-mobile";  // its tracks have no home
    EXPECT_EQ(std::any_of(home.begin(), home.end(), [](double q) { return std::isnan(q); }), is_fleet_home)
        << name;
  }
}

TEST(RobotsTest, CountAndComeBackToTheSameJoints) {
  for (const char* name : {"scorbot-er3", "yarc-industrial", "yarc-mobile", "mds"}) {
    const RobotModel model = shipped(name).model;
    ASSERT_TRUE(model.actuation) << name;
    std::vector<double> q(model.positions.size());
    for (std::size_t i = 0; i < q.size(); ++i) q[i] = std::sin(1.0 + static_cast<double>(i));
    const Eigen::VectorXd counts = actuator_counts(model, q);
    const Eigen::VectorXd back = joint_positions(model, {counts.data(), q.size()});
    for (std::size_t i = 0; i < q.size(); ++i)
      EXPECT_NEAR(back[static_cast<Eigen::Index>(i)], q[i], 1e-12) << name;
  }
}

// ---- SCORBOT-ER III ----

TEST(ScorbotTest, IsAtHardHomeWhenAllCountsAreZero) {
  const RobotModel model = shipped("scorbot-er3").model;
  const std::vector<double> zero(6, 0.0);
  const Eigen::VectorXd q = joint_positions(model, zero);
  const std::vector<double> home = posture(model, "home");
  for (std::size_t i = 0; i < home.size(); ++i) EXPECT_NEAR(q[static_cast<Eigen::Index>(i)], home[i], 1e-8);
  // shoulder, forearm and hand to the ground
  EXPECT_NEAR(q[1], 120.99 * kDegree, 1e-8);
  EXPECT_NEAR(q[1] + q[2], 25.37 * kDegree, 1e-8);
  EXPECT_NEAR(q[1] + q[2] + q[3], -64.52 * kDegree, 1e-8);
  const Pose X_BF = flange_pose(model, "arm", {q.data(), q.data() + q.size()});
  expect_near(X_BF.position, Vector3(0.16342, 0, 0.49907), 2e-5);
}

TEST(ScorbotTest, KeepsForearmAndHandParallelWhenOnlyTheShouldersMotorTurns) {
  const RobotModel model = shipped("scorbot-er3").model;
  const std::vector<double> before(6, 0.0);
  std::vector<double> after = before;
  after[1] = 300;  // positive counts lower the arm
  const Eigen::VectorXd q0 = joint_positions(model, before);
  const Eigen::VectorXd q1 = joint_positions(model, after);
  EXPECT_NEAR(q1[1] - q0[1], -300.0 / 3064.8 * 2 * std::numbers::pi, 1e-12);
  EXPECT_NEAR(q1[1] + q1[2], q0[1] + q0[2], 1e-12);
  EXPECT_NEAR(q1[1] + q1[2] + q1[3], q0[1] + q0[2] + q0[3], 1e-12);
  EXPECT_NEAR(q1[4], q0[4], 1e-12);
}

TEST(ScorbotTest, RollsAndPitchesByItsDifferential) {
  const RobotModel model = shipped("scorbot-er3").model;
  const std::vector<double> same{0, 0, 0, 100, 100, 0};
  const std::vector<double> opposite{0, 0, 0, 100, -100, 0};
  const Eigen::VectorXd home = joint_positions(model, std::vector<double>(6, 0.0));
  const Eigen::VectorXd rolled = joint_positions(model, same) - home;
  const Eigen::VectorXd pitched = joint_positions(model, opposite) - home;
  EXPECT_NEAR(rolled[4], 100 / 2.09236 * kDegree, 1e-6);
  EXPECT_NEAR(rolled[3], 0.0, 1e-12);
  EXPECT_NEAR(pitched[3], 100 / 2.09236 * kDegree, 1e-6);
  EXPECT_NEAR(pitched[4], 0.0, 1e-12);
}

// tip = d1 + d2 cos s + d3 cos e + d4 cos t, and so on, as the thesis has it with the right lengths
TEST(ScorbotTest, HasThePlanarGeometryOfTheFit) {
  const RobotModel model = shipped("scorbot-er3").model;
  for (double s = -0.5; s < 2.0; s += 0.37) {
    for (double e = -2.0; e < 2.0; e += 0.53) {
      const double p = 0.3 * s - 0.2 * e, b = 0.5 * s;
      const Pose X_BF = flange_pose(model, "arm", {b, s, e, p, 0.4, 0.0});
      const double r = 0.016 + 0.221 * std::cos(s) + 0.221 * std::cos(s + e) + 0.143 * std::cos(s + e + p);
      const double z = 0.344 + 0.221 * std::sin(s) + 0.221 * std::sin(s + e) + 0.143 * std::sin(s + e + p);
      expect_near(X_BF.position, Vector3(r * std::cos(b), r * std::sin(b), z), 1e-14);
    }
  }
}

// ---- YARC ----

TEST(YarcTest, PutsTheFlangeWhereFigure5DoesAtZero) {
  const RobotModel model = shipped("yarc-industrial").model;
  const Pose X_BF = flange_pose(model, "arm", std::vector<double>(6, 0.0));
  expect_near(X_BF.position, Vector3(0, 1.0744, 1.764), 1e-12);
  EXPECT_NEAR(rotation_vector(X_BF.rotation).norm(), 0.0, 1e-12);
  expect_near(X_BF * model.arms[0].tools[0].X_LT.position, Vector3(0, 1.1744, 1.764), 1e-12);
}

TEST(YarcTest, PutsTheFlangeWhereFigure5DoesWhenAllJointsTurn) {
  const RobotModel model = shipped("yarc-industrial").model;
  std::vector<double> q{30, 15, 30, -15, 20, 15};
  for (double& angle : q) angle *= kDegree;
  const Pose X_BF = flange_pose(model, "arm", q);
  expect_near(X_BF.position, Vector3(-0.1739107, 0.3433583, 2.3403025), 6e-8);
  const RollPitchYaw rpy = roll_pitch_yaw(X_BF.rotation);
  expect_near(Vector3(rpy.roll, rpy.pitch, rpy.yaw) / kDegree, Vector3(64.22209, 4.20096, 27.01509), 6e-6);
  EXPECT_EQ(model.arms[0].tools[0].name, "TCP");
  expect_near(X_BF * model.arms[0].tools[0].X_LT.position, Vector3(-0.1877875, 0.3850979, 2.4301093), 6e-8);
}

TEST(YarcTest, TiesTheThirdMotorToTheSecondJoint) {
  const RobotModel model = shipped("yarc-industrial").model;
  std::vector<double> q{0, -6.158742, -46.519197, 0, 52.677939, 0};
  for (double& angle : q) angle *= kDegree;
  const Eigen::VectorXd counts = actuator_counts(model, q);
  const std::vector<double> expected{0, -158081.8, -1543922.4, 0, 699854.9, 0};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(counts[static_cast<Eigen::Index>(i)], expected[i], 0.1);
}

TEST(YarcTest, HalvesSumAndDifferenceInTheMobileRobotsWrist) {
  const RobotModel model = shipped("yarc-mobile").model;
  std::vector<double> q(model.positions.size(), 0.0);
  q[model.joints[find_joint(model, "J5")].position] = 0.6;
  q[model.joints[find_joint(model, "J6")].position] = 0.2;
  const Eigen::VectorXd counts = actuator_counts(model, q);
  const double per_rad = 200000 / (2 * std::numbers::pi);
  EXPECT_NEAR(counts[4], 0.4 * per_rad, 1e-6);
  EXPECT_NEAR(counts[5], 0.2 * per_rad, 1e-6);
}

// ---- MDS ----

TEST(MdsTest, HasItsJointsNamesAndSwitches) {
  const RobotModel model = shipped("mds").model;
  EXPECT_EQ(model.positions.size(), 43U);
  const auto enabled = std::count_if(model.positions.begin(), model.positions.end(),
                                     [&](std::size_t j) { return model.joints[j].is_enabled; });
  EXPECT_EQ(enabled, 17);
  EXPECT_EQ(model.joints[find_joint(model, "REP")].name, "RightElbowFlex");
  EXPECT_EQ(model.joints[find_joint(model, "WST")].name, "TorsoPan");
  const auto left = joints_between(model, model.arms[0].base_link, model.arms[0].tip_link);
  std::vector<std::string> names;
  for (const std::size_t j : *left)
    names.push_back(model.joints[j].aliases.empty() ? "" : model.joints[j].aliases[0]);
  EXPECT_EQ(names, (std::vector<std::string>{"LSP", "LSR", "LSY", "LEP", "LWY", "LWR", ""}));
}

TEST(MdsTest, HasItsHandsWhereThePaperPrintsThem) {
  const RobotModel model = shipped("mds").model;
  const std::vector<double> home = posture(model, "home");
  const auto at = [&](const char* name) { return home[model.joints[find_joint(model, name)].position]; };
  EXPECT_EQ(at("LSP"), -0.45);
  EXPECT_EQ(at("LSR"), 1.2);
  EXPECT_EQ(at("RSP"), -0.445);
  EXPECT_EQ(at("LWR"), -0.28);
  const Pose left = flange_pose(model, "left", home);
  expect_near(left.position, Vector3(0.41113, 0.58077, -0.07098), 6e-6);
  const RollPitchYaw rpy_left = roll_pitch_yaw(left.rotation);
  expect_near(Vector3(rpy_left.roll, rpy_left.pitch, rpy_left.yaw), Vector3(1.39899, -0.38662, -1.40029),
              6e-6);
  const Pose right = flange_pose(model, "right", home);
  expect_near(right.position, Vector3(0.40568, -0.59615, -0.03051), 6e-6);
  const RollPitchYaw rpy_right = roll_pitch_yaw(right.rotation);
  expect_near(Vector3(rpy_right.roll, rpy_right.pitch, rpy_right.yaw), Vector3(-1.76737, -0.43473, 1.41072),
              6e-6);
}

TEST(MdsTest, CountsZeroAtHomeAndHasTheRangesOfItsAnatomy) {
  const RobotModel model = shipped("mds").model;
  const Eigen::VectorXd counts = actuator_counts(model, posture(model, "home"));
  EXPECT_LT(counts.cwiseAbs().maxCoeff(), 1e-5);
  const Joint& elbow = model.joints[find_joint(model, "LEP")];
  EXPECT_NEAR(elbow.limits.lower, -2.550, 6e-4);
  EXPECT_NEAR(elbow.limits.upper, 0.050, 6e-4);
  // theta_motor = direction · theta + offset; 51200 counts a turn; -5000 counts are -0.63641 rad at the elbow
  std::vector<double> moved(model.positions.size(), 0.0);
  const std::size_t row = 24;  // 0x4C among the addresses in use
  moved[row] = -5000;
  const Eigen::VectorXd q = joint_positions(model, moved);
  EXPECT_NEAR(q[static_cast<Eigen::Index>(elbow.position)], -0.63641, 6e-6);
}

// ---- arms whose makers publish their lengths ----

TEST(ArmsTest, ReachWhereTheirTablesSay) {
  const RobotModel ur5e = shipped("ur5e").model;
  const Pose X_BF = flange_pose(ur5e, "arm", std::vector<double>(6, 0.0));
  expect_near(X_BF.position, Vector3(-0.425 - 0.3922, -0.1333 - 0.0996, 0.1625 - 0.0997), 1e-12);
  const RobotModel panda = shipped("panda").model;
  const Pose stretched = flange_pose(panda, "arm", std::vector<double>(7, 0.0));
  expect_near(stretched.position, Vector3(0.088, 0, 0.333 + 0.316 + 0.384 - 0.107), 1e-12);
  const RobotModel kr60 = shipped("kr60").model;
  const Pose upright = flange_pose(kr60, "arm", posture(kr60, "home"));
  expect_near(upright.position, Vector3(0.35 + 0.82 + 0.17, 0, 0.815 + 0.85 + 0.145), 1e-12);
  const RobotModel betabots = shipped("betabots").model;
  const Pose printed = flange_pose(betabots, "arm", std::vector<double>(6, 0.0));
  expect_near(printed.position, Vector3(0, 0.0065 - 0.029, 0.855), 1e-12);
}

TEST(LoadRobotTest, SuggestsARobotThatExists) {
  const auto robot = load_robot("scorbot-er2");
  ASSERT_FALSE(robot);
  EXPECT_EQ(robot.error().code, ErrorCode::NotFound);
  EXPECT_NE(robot.error().message.find("(did you mean 'scorbot-er3'?)"), std::string::npos)
      << robot.error().message;
}

TEST(LoadRobotTest, IgnoresNeighboursOnce) {
  const RobotModel model = shipped("scorbot-er3").model;
  EXPECT_GT(model.ignored_pairs.size(), model.joints.size());
}

TEST(RobotsTest, EachHasAPictureThatItsReadmeShows) {
  const LoadOptions places = usual_places();
  for (const std::string& name : robot_names(places)) {
    const std::filesystem::path folder = shipped(name).urdf.parent_path();
    std::ifstream picture(folder / "picture.png", std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(picture), {});
    EXPECT_EQ(bytes.substr(0, 8), "\x89PNG\r\n\x1a\n") << name;
    EXPECT_LT(bytes.size(), 60'000U) << name;
    std::ifstream readme(folder / "README.md");
    const std::string text(std::istreambuf_iterator<char>(readme), {});
    EXPECT_NE(text.find("](picture.png)"), std::string::npos) << name;
  }
}

// counts of the range of motion, as the three anatomy files give them
TEST(RobotsTest, MdsHasTheAnatomiesOfIsaacLucasAndOctavia) {
  struct Range {
    const char* robot;
    const char* joint;
    double rom;       // [counts]
    double per_turn;  // [counts]
  };
  constexpr Range kRanges[] = {{"mds:isaac", "LEP", 21342, 51200},    {"mds:lucas", "LEP", 21284, 51200},
                               {"mds:octavia", "LEP", 21242, 51200},  {"mds:isaac", "RSR", 223764, 491520},
                               {"mds:lucas", "RSR", 223624, 491520},  {"mds:octavia", "RSR", 222860, 491520},
                               {"mds:octavia", "NKY", 37684, 204800}, {"mds:lucas", "RYBR", 5544, 34304}};
  const LoadedRobot plain = shipped("mds");
  for (const Range& range : kRanges) {
    const LoadedRobot robot = shipped(range.robot);
    const Joint& joint = robot.model.joints[find_joint(robot.model, range.joint)];
    EXPECT_NEAR(joint.limits.upper - joint.limits.lower, range.rom / range.per_turn * 2.0 * std::numbers::pi,
                2e-6)
        << range.robot << ' ' << range.joint;
    // home is in the middle, and the rest is as it was
    EXPECT_NEAR((joint.limits.upper + joint.limits.lower) / 2.0, posture(robot.model, "home")[joint.position],
                1e-6);
    const Joint& same = plain.model.joints[find_joint(plain.model, range.joint)];
    EXPECT_EQ(joint.limits.acceleration, same.limits.acceleration);
    EXPECT_EQ(robot.model.positions.size(), plain.model.positions.size());
    EXPECT_TRUE(robot.model.actuation.has_value());
  }
  EXPECT_EQ(shipped("mds:isaac").variant, "isaac");
  EXPECT_EQ(load_robot("mds:isac").error().message,
            "mds has no variant 'isac' (did you mean 'isaac'?); it has: isaac, lucas, octavia");
  EXPECT_FALSE(load_robot("mds:"));
  EXPECT_FALSE(load_robot("ur5e:isaac"));
  EXPECT_FALSE(load_robot((plain.urdf).string() + ":isaac"));
  EXPECT_TRUE(load_robot(plain.urdf.parent_path().string() + ":lucas"));
}

}  // namespace
}  // namespace sinew
