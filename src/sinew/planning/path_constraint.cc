// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/planning/path_constraint.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Cholesky>

namespace sinew::planning {
namespace {

/// What is aimed at when projecting: this share of the bounds, so that the ways between stay inside, too.
constexpr double kAim = 0.5;
constexpr int kMostProjections = 30;
constexpr int kMostParts = 4096;

}  // namespace

ToolKeeper::ToolKeeper(const SerialChain& chain, const PathConstraint& constraint)
    : chain_(&chain), constraint_(constraint) {}

Violation ToolKeeper::violation(std::span<const double> q) const {
  const Pose X_BT = chain_->tool_pose(q);
  Violation out{.angle = -std::numeric_limits<double>::infinity(),
                .distance = -std::numeric_limits<double>::infinity()};
  if (const auto& cone = constraint_.cone) {
    const Vector3 axis = X_BT.rotation * cone->tool_axis;
    const double angle = std::atan2(axis.cross(cone->direction).norm(), axis.dot(cone->direction));
    out.angle = angle - cone->angle;
  }
  if (const auto& box = constraint_.box) {
    const Vector3 beyond = (box->lowest - X_BT.position).cwiseMax(X_BT.position - box->highest);
    out.distance = beyond.maxCoeff();
  }
  return out;
}

bool ToolKeeper::is_kept(std::span<const double> q) const {
  const Violation out = violation(q);
  return out.angle <= 0.0 && out.distance <= 0.0;
}

Violation ToolKeeper::travel(std::span<const double> q0, std::span<const double> q1) const {
  Violation most;
  for (std::size_t i = 0; i < q0.size(); ++i) {
    const double apart = std::abs(q1[i] - q0[i]);
    most.angle += chain_->is_revolute(i) ? apart : 0.0;
    most.distance += chain_->is_revolute(i) ? apart * chain_->reach() : apart;
  }
  return most;
}

bool ToolKeeper::is_kept_between(std::span<const double> q0, std::span<const double> q1) const {
  const Violation most = travel(q0, q1);
  // a part turns and moves the tool by at most a quarter of what it may be off
  double parts = 1.0;
  if (const auto& cone = constraint_.cone) parts = std::max(parts, 4.0 * most.angle / cone->angle);
  if (const auto& box = constraint_.box) {
    parts = std::max(parts, 4.0 * most.distance / (box->highest - box->lowest).minCoeff());
  }
  if (!(parts < kMostParts)) return false;
  const int count = static_cast<int>(std::ceil(parts));
  const Violation half{.angle = most.angle / (2.0 * count), .distance = most.distance / (2.0 * count)};
  JointVector q(static_cast<Eigen::Index>(q0.size()));
  for (int part = 0; part < count; ++part) {
    const double t = (part + 0.5) / count;
    for (std::size_t i = 0; i < q0.size(); ++i) q[static_cast<Eigen::Index>(i)] = q0[i] + t * (q1[i] - q0[i]);
    const Violation out = violation({q.data(), q0.size()});
    if (out.angle > -half.angle || out.distance > -half.distance) return false;
  }
  return true;
}

bool ToolKeeper::project(std::span<double> q) const {
  using Rows = Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, kMaxChainJoints>;
  for (int round = 0; round < kMostProjections; ++round) {
    Jacobian jacobian;
    const Pose X_BT = chain_->tool_pose(q, jacobian);
    Rows rows(6, static_cast<Eigen::Index>(q.size()));
    Eigen::Matrix<double, 6, 1> wanted = Eigen::Matrix<double, 6, 1>::Zero();
    rows.setZero();
    bool is_outside = false;
    if (const auto& cone = constraint_.cone) {
      const Vector3 axis = X_BT.rotation * cone->tool_axis;
      const Vector3 turn = axis.cross(cone->direction);
      const double angle = std::atan2(turn.norm(), axis.dot(cone->direction));
      if (angle > kAim * cone->angle) {
        is_outside = is_outside || angle > 1.2 * kAim * cone->angle;
        // turned over: any axis across leads back
        const Vector3 about = turn.norm() > 1e-9 ? Vector3(turn.normalized()) : axis.unitOrthogonal();
        rows.bottomRows<3>() = (Matrix3::Identity() - axis * axis.transpose()) * jacobian.bottomRows<3>();
        wanted.tail<3>() = about * (angle - kAim * cone->angle);
      }
    }
    if (const auto& box = constraint_.box) {
      const Vector3 inset = (0.5 - 0.5 * kAim) * 0.2 * (box->highest - box->lowest);
      const Vector3 inside = X_BT.position.cwiseMax(box->lowest + inset).cwiseMin(box->highest - inset);
      is_outside = is_outside || (inside - X_BT.position).norm() > 1e-6;
      if (inside != X_BT.position) rows.topRows<3>() = jacobian.topRows<3>();
      wanted.head<3>() = inside - X_BT.position;
    }
    if (!is_outside) return is_kept(q);
    // damped least squares
    Eigen::Matrix<double, 6, 6> square = rows * rows.transpose();
    square.diagonal().array() += 1e-4;
    const JointVector step = rows.transpose() * square.ldlt().solve(wanted);
    for (std::size_t i = 0; i < q.size(); ++i) {
      const JointLimits& limits = chain_->limits(i);
      q[i] = std::clamp(q[i] + std::clamp(step[static_cast<Eigen::Index>(i)], -0.5, 0.5), limits.lower,
                        limits.upper);
    }
  }
  return false;
}

}  // namespace sinew::planning
