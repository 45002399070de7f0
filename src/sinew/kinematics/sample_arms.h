// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "sinew/kinematics/serial_chain.h"
#include "sinew/model/robot_model.h"

/// Arms for tests and benchmarks, from published figures or drawn at random.
namespace sinew::arms {

inline constexpr double kDegree = std::numbers::pi / 180.0;
inline constexpr double kQuarter = std::numbers::pi / 2.0;

/// A joint as URDF has it.
struct Row {
  Vector3 xyz = Vector3::Zero();
  RollPitchYaw rpy;
  Vector3 axis = Vector3::UnitZ();
  double lower = -std::numbers::pi;
  double upper = std::numbers::pi;
  JointKind kind = JointKind::Revolute;
};

/// A chain of links from "link0" to "tip".
inline RobotModel arm_of(std::string name, const std::vector<Row>& rows, const Pose& X_LT) {
  RobotModel model;
  model.name = std::move(name);
  model.links.push_back({.name = "link0"});
  const auto add = [&](Joint joint) {
    const std::size_t index = model.joints.size();
    joint.parent_link = model.links.size() - 1;
    joint.child_link = model.links.size();
    model.links.back().child_joints.push_back(index);
    model.links.push_back({.name = "link" + std::to_string(index + 1), .parent_joint = index});
    if (joint.kind != JointKind::Fixed) {
      joint.position = model.positions.size();
      model.positions.push_back(index);
    }
    model.joints.push_back(std::move(joint));
  };
  for (const Row& row : rows) {
    add({.name = "joint" + std::to_string(model.joints.size() + 1),
         .kind = row.kind,
         .X_PJ = {.rotation = quaternion_from(row.rpy), .position = row.xyz},
         .axis = row.axis.normalized(),
         .limits = {.lower = row.lower, .upper = row.upper}});
  }
  add({.name = "mount", .X_PJ = X_LT});
  model.links.back().name = "tip";
  return model;
}

/// Denavit and Hartenberg's row: Rz(q + theta) Tz(d) Tx(a) Rx(alpha).
struct DhRow {
  double d = 0.0;
  double a = 0.0;
  double alpha = 0.0;
  double theta = 0.0;
  double lower = -std::numbers::pi;
  double upper = std::numbers::pi;
};

inline RobotModel arm_of_dh(std::string name, const std::vector<DhRow>& table) {
  std::vector<Row> rows;
  Pose X_PJ;
  for (const DhRow& dh : table) {
    rows.push_back({.lower = dh.lower, .upper = dh.upper});
    X_PJ = X_PJ * Pose{.rotation = quaternion_from({.yaw = dh.theta})};
    rows.back().xyz = X_PJ.position;
    rows.back().rpy = roll_pitch_yaw(X_PJ.rotation);
    X_PJ = {.rotation = quaternion_from({.roll = dh.alpha}), .position = Vector3(dh.a, 0.0, dh.d)};
  }
  return arm_of(std::move(name), rows, X_PJ);
}

inline SerialChain chain_of(const RobotModel& model, const Pose& X_LT = {}) {
  return SerialChain::make(model, 0, model.links.size() - 1, X_LT).value();
}

inline RobotModel ur5e() {
  constexpr double kTurn = 2.0 * std::numbers::pi;
  return arm_of_dh("ur5e", {{.d = 0.1625, .alpha = kQuarter, .lower = -kTurn, .upper = kTurn},
                            {.a = -0.425, .lower = -kTurn, .upper = kTurn},
                            {.a = -0.3922},
                            {.d = 0.1333, .alpha = kQuarter, .lower = -kTurn, .upper = kTurn},
                            {.d = 0.0997, .alpha = -kQuarter, .lower = -kTurn, .upper = kTurn},
                            {.d = 0.0996, .lower = -kTurn, .upper = kTurn}});
}

inline RobotModel kr6() {
  const Vector3 y = Vector3::UnitY();
  const Vector3 back = -Vector3::UnitX();
  return arm_of(
      "kr6",
      {{.xyz = {0, 0, 0.4}, .axis = -Vector3::UnitZ(), .lower = -170 * kDegree, .upper = 170 * kDegree},
       {.xyz = {0.025, 0, 0}, .axis = y, .lower = -190 * kDegree, .upper = 45 * kDegree},
       {.xyz = {0.455, 0, 0}, .axis = y, .lower = -120 * kDegree, .upper = 156 * kDegree},
       {.xyz = {0, 0, 0.035}, .axis = back, .lower = -185 * kDegree, .upper = 185 * kDegree},
       {.xyz = {0.42, 0, 0}, .axis = y, .lower = -120 * kDegree, .upper = 120 * kDegree},
       {.xyz = {0.08, 0, 0}, .axis = back, .lower = -350 * kDegree, .upper = 350 * kDegree}},
      {});
}

inline RobotModel panda() {
  return arm_of("panda",
                {{.xyz = {0, 0, 0.333}, .lower = -2.8973, .upper = 2.8973},
                 {.rpy = {.roll = -kQuarter}, .lower = -1.7628, .upper = 1.7628},
                 {.xyz = {0, -0.316, 0}, .rpy = {.roll = kQuarter}, .lower = -2.8973, .upper = 2.8973},
                 {.xyz = {0.0825, 0, 0}, .rpy = {.roll = kQuarter}, .lower = -3.0718, .upper = -0.0698},
                 {.xyz = {-0.0825, 0.384, 0}, .rpy = {.roll = -kQuarter}, .lower = -2.8973, .upper = 2.8973},
                 {.rpy = {.roll = kQuarter}, .lower = -0.0175, .upper = 3.7525},
                 {.xyz = {0.088, 0, 0}, .rpy = {.roll = kQuarter}, .lower = -2.8973, .upper = 2.8973}},
                {.position = {0, 0, 0.107}});
}

inline RobotModel iiwa() {
  constexpr double kPi = std::numbers::pi;
  const auto range = [](Row row, double angle) {
    row.lower = -angle * kDegree;
    row.upper = angle * kDegree;
    return row;
  };
  return arm_of("iiwa",
                {range({.xyz = {0, 0, 0.1575}}, 170),
                 range({.xyz = {0, 0, 0.2025}, .rpy = {.roll = kQuarter, .yaw = kPi}}, 120),
                 range({.xyz = {0, 0.2045, 0}, .rpy = {.roll = kQuarter, .yaw = kPi}}, 170),
                 range({.xyz = {0, 0, 0.2155}, .rpy = {.roll = kQuarter}}, 120),
                 range({.xyz = {0, 0.1845, 0}, .rpy = {.roll = -kQuarter, .pitch = kPi}}, 170),
                 range({.xyz = {0, 0, 0.2155}, .rpy = {.roll = kQuarter}}, 120),
                 range({.xyz = {0, 0.081, 0}, .rpy = {.roll = -kQuarter, .pitch = kPi}}, 175)},
                {.position = {0, 0, 0.045}});
}

/// SCORBOT-ER III: shoulder up-positive, elbow and pitch down-positive.
inline RobotModel scorbot() {
  const Vector3 y = Vector3::UnitY();
  return arm_of("scorbot",
                {{.xyz = {0, 0, 0.344}, .lower = -155 * kDegree, .upper = 155 * kDegree},
                 {.xyz = {0.016, 0, 0}, .axis = -y, .lower = -35 * kDegree, .upper = 130 * kDegree},
                 {.xyz = {0.221, 0, 0}, .axis = y, .lower = -130 * kDegree, .upper = 130 * kDegree},
                 {.xyz = {0.221, 0, 0}, .axis = y, .lower = -130 * kDegree, .upper = 130 * kDegree},
                 {.axis = Vector3::UnitX()}},
                {.position = {0.143, 0, 0}});
}

/// YARC's industrial arm, of the paper's Fig. 5.
inline RobotModel yarc() {
  const Vector3 x = Vector3::UnitX();
  const Vector3 back = -Vector3::UnitY();
  return arm_of("yarc",
                {{.axis = Vector3::UnitZ()},
                 {.xyz = {0, 0.2, 0.679}, .axis = x},
                 {.xyz = {0, 0, 0.89}, .axis = x},
                 {.xyz = {0, 0.2, 0.195}, .axis = back},
                 {.xyz = {0, 0.4364, 0}, .axis = x},
                 {.xyz = {0, 0.238, 0}, .axis = back}},
                {});
}

/// An arm of the MDS robot, with the limits of its own solver: left for side = 1, right for side = -1.
inline RobotModel mds(double side) {
  constexpr double kPi = std::numbers::pi;
  const Vector3 x = Vector3::UnitX();
  const Vector3 y = Vector3::UnitY();
  const double inner = side > 0 ? 0.0 : -kPi;
  const double outer = side > 0 ? kPi : 0.0001;
  return arm_of("mds",
                {{.xyz = {0, side * 0.24551, 0}, .axis = y, .lower = -kPi, .upper = kPi},
                 {.axis = x, .lower = inner, .upper = outer},
                 {.xyz = {0, 0, -0.282575}, .lower = -kPi, .upper = kPi},
                 {.axis = y, .lower = -2.4, .upper = 0.0},
                 {.xyz = {0, 0, -0.3127375}, .lower = -kPi, .upper = kPi},
                 {.axis = x, .lower = -0.4712, .upper = 0.4712}},
                {.position = {0, 0, -0.0635}});
}

/// The numbers of a joint vector.
inline std::span<const double> numbers(const JointVector& q) {
  return {q.data(), static_cast<std::size_t>(q.size())};
}

using Random = std::mt19937_64;

inline double draw(Random& random, double lower, double upper) {
  return lower + (upper - lower) * static_cast<double>(random() >> 11) * 0x1p-53;
}

inline Vector3 draw_direction(Random& random) {
  Vector3 v;
  do {
    v = {draw(random, -1, 1), draw(random, -1, 1), draw(random, -1, 1)};
  } while (v.norm() > 1.0 || v.norm() < 0.1);
  return v.normalized();
}

/// An arm with nothing special about it: offsets everywhere, twists away from zero.
inline RobotModel ugly(Random& random, int joints) {
  std::vector<DhRow> rows;
  for (int i = 0; i < joints; ++i) {
    const double reach = draw(random, 2.0, 3.1);
    rows.push_back({.d = draw(random, 0.05, 0.4),
                    .a = draw(random, -0.4, 0.4),
                    .alpha = (random() % 2 == 0 ? 1 : -1) * draw(random, 50, 130) * kDegree,
                    .lower = -reach,
                    .upper = reach});
  }
  return arm_of_dh("ugly", rows);
}

/// Joint positions within limits; within half a turn where there are none.
inline std::vector<double> draw_joints(Random& random, const SerialChain& chain) {
  std::vector<double> q;
  for (std::size_t i = 0; i < chain.size(); ++i) {
    q.push_back(draw(random, std::max(chain.limits(i).lower, -2 * std::numbers::pi),
                     std::min(chain.limits(i).upper, 2 * std::numbers::pi)));
  }
  return q;
}

}  // namespace sinew::arms
