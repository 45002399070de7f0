// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/torque_stretch.h"

#include <algorithm>
#include <cmath>

#include "sinew/kinematics/torque_check.h"

namespace sinew {
namespace {

constexpr double kBetweenInstants = 5e-3;  // [s]
constexpr double kFewestInstants = 50.0;
constexpr double kMostInstants = 2000.0;
// of the effort: with less than that left, a joint cannot hold the robot in earnest
constexpr double kLeastRoom = 0.02;

}  // namespace

TorqueStretch::TorqueStretch(const RobotModel& model)
    : dynamics_(model),
      usable_(model.positions.size()),
      q_(usable_.size()),
      v_(usable_.size()),
      a_(usable_.size()),
      holding_(usable_.size()),
      moving_(usable_.size()) {
  if (!unweighed_links(model).empty()) return;
  for (std::size_t i = 0; i < usable_.size(); ++i) {
    const Joint& joint = model.joints[model.positions[i]];
    if (joint.is_enabled && is_effort_known(joint.limits)) usable_[i] = kPlannedEffort * joint.limits.effort;
    is_known_ = is_known_ || usable_[i] > 0.0;
  }
}

double TorqueStretch::factor_for(const Trajectory& trajectory, std::span<const std::size_t> planned,
                                 std::span<const double> others) {
  double factor = 1.0;
  if (!is_known_ || trajectory.piece_count() == 0) return factor;
  std::ranges::copy(others, q_.begin());
  std::ranges::fill(v_, 0.0);
  std::ranges::fill(a_, 0.0);
  const double instants = std::clamp(trajectory.length() / kBetweenInstants, kFewestInstants, kMostInstants);
  for (double k = 0.0; k <= instants; k += 1.0) {
    const double time = trajectory.length() * k / instants;
    for (std::size_t j = 0; j < planned.size(); ++j) {
      const CurvePoint point = trajectory.at(j, time);
      q_[planned[j]] = point.value;
      v_[planned[j]] = point.first;
      a_[planned[j]] = point.second;
    }
    factor = std::max(factor, factor_now());
  }
  return factor;
}

// Run k times slower, what moves takes 1/k² of the effort; what holds takes all of it still.
double TorqueStretch::factor_now() {
  dynamics_.compute({.q = q_, .v = {}, .a = {}}, holding_);
  dynamics_.compute_inertial({.q = q_, .v = v_, .a = a_}, moving_);
  const RobotModel& model = dynamics_.model();
  double square = 1.0;
  for (std::size_t i = 0; i < usable_.size(); ++i) {
    if (usable_[i] == 0.0) continue;
    const Joint& joint = model.joints[model.positions[i]];
    const double lost = joint.friction + joint.damping * std::abs(v_[i]);
    const double side = moving_[i] < 0.0 ? -1.0 : 1.0;
    const double room = usable_[i] - lost - side * holding_[i];
    if (room > kLeastRoom * usable_[i]) square = std::max(square, std::abs(moving_[i]) / room);
  }
  return std::sqrt(square);
}

}  // namespace sinew
