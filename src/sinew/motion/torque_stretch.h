// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/kinematics/inverse_dynamics.h"
#include "sinew/trajectory/joint_curve.h"

namespace sinew {

/// Keeps planned motions within the efforts of the motors: by how much a trajectory must be run slower, from
/// the inverse dynamics of the whole robot. One thread.
///
/// Where links have no mass, or a joint no effort, nothing is known and nothing is slowed. A joint that could
/// not even hold the robot where the motion passes is left out: slower would not help it.
class TorqueStretch {
 public:
  /// `model` must outlive it.
  explicit TorqueStretch(const RobotModel& model);

  /// The factor, 1 or more. Row i of `trajectory` is the position planned[i]; all others stand at `others`
  /// (one number per position of the robot).
  double factor_for(const Trajectory& trajectory, std::span<const std::size_t> planned,
                    std::span<const double> others);

 private:
  double factor_now();

  InverseDynamics dynamics_;
  std::vector<double> usable_;  ///< [N·m, N] Of each position; zero: not known.
  bool is_known_ = false;
  std::vector<double> q_, v_, a_, holding_, moving_;
};

}  // namespace sinew
