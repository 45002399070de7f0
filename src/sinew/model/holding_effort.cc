// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/model/holding_effort.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace sinew {
namespace {

constexpr double kGravity = 9.81;  // [m/s²]
constexpr double kFarthestSlide = 0.1;

Pose motion_of(const Joint& joint, double position) {
  if (joint.kind == JointKind::Prismatic) return {.position = position * joint.axis};
  return {.rotation = Quaternion(Eigen::AngleAxisd(position, joint.axis))};
}

double draw(const Joint& joint, std::mt19937_64& engine) {
  const double most = joint.kind == JointKind::Prismatic ? kFarthestSlide : std::numbers::pi;
  const double lower = std::isfinite(joint.limits.lower) ? joint.limits.lower : -most;
  const double upper = std::isfinite(joint.limits.upper) ? joint.limits.upper : most;
  return lower + (upper - lower) * (static_cast<double>(engine() >> 11) * 0x1.0p-53);
}

/// The leader's position of a joint that moves, and how it follows: itself, with 1 and 0.
Mimic source_of(const RobotModel& model, std::size_t j) {
  const Joint& joint = model.joints[j];
  return joint.mimic ? *joint.mimic : Mimic{.joint = j};
}

/// What each position has to hold at `q`.
std::vector<double> efforts_at(const RobotModel& model, const std::vector<double>& q) {
  std::vector<Pose> X_RL(model.links.size());
  std::vector<Pose> X_RJ(model.joints.size());
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const Joint& joint = model.joints[j];
    X_RJ[j] = X_RL[joint.parent_link] * joint.X_PJ;
    const Mimic source = source_of(model, j);
    const bool moves = joint.kind != JointKind::Fixed;
    const double position =
        moves ? source.factor * q[model.joints[source.joint].position] + source.offset : 0.0;
    X_RL[joint.child_link] = moves ? X_RJ[j] * motion_of(joint, position) : X_RJ[j];
  }
  // of each link with all beyond it: its mass, and its mass times its centre
  std::vector<double> mass(model.links.size(), 0.0);
  std::vector<Vector3> moment(model.links.size(), Vector3::Zero());
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    if (!model.links[i].inertia) continue;
    mass[i] = model.links[i].inertia->mass;
    moment[i] = mass[i] * (X_RL[i] * model.links[i].inertia->p_LC);
  }
  std::vector<double> efforts(model.positions.size(), 0.0);
  for (std::size_t j = model.joints.size(); j-- > 0;) {
    const Joint& joint = model.joints[j];
    mass[joint.parent_link] += mass[joint.child_link];
    moment[joint.parent_link] += moment[joint.child_link];
    if (joint.kind == JointKind::Fixed) continue;
    const Vector3 axis = X_RJ[j].rotation * joint.axis;
    const Vector3 weight(0.0, 0.0, -kGravity * mass[joint.child_link]);
    const Vector3 arm = moment[joint.child_link] - mass[joint.child_link] * X_RJ[j].position;
    const double load = joint.kind == JointKind::Prismatic
                            ? axis.dot(weight)
                            : axis.dot(arm.cross(Vector3(0.0, 0.0, -kGravity)));
    const Mimic source = source_of(model, j);
    efforts[model.joints[source.joint].position] += source.factor * load;
  }
  return efforts;
}

}  // namespace

std::vector<double> holding_efforts(const RobotModel& model) {
  constexpr int kDraws = 300;
  std::mt19937_64 engine(1);
  std::vector<double> most(model.positions.size(), 0.0);
  std::vector<double> q(model.positions.size(), 0.0);
  for (int k = 0; k < kDraws; ++k) {
    for (std::size_t i = 0; i < q.size(); ++i) q[i] = draw(model.joints[model.positions[i]], engine);
    const std::vector<double> efforts = efforts_at(model, q);
    for (std::size_t i = 0; i < q.size(); ++i) most[i] = std::max(most[i], std::abs(efforts[i]));
  }
  return most;
}

}  // namespace sinew
