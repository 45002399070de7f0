// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>

#include <Eigen/Core>

#include "sinew/messages/joints.h"
#include "sinew/model/robot_model.h"
#include "sinew/simulation/random.h"
#include "sinew/simulation/scene.h"

namespace sinew {

/// What a robot's encoders make of where its joints are: whole counts where the model says how they count,
/// and seeded noise. Allocates in its constructor alone.
class Encoders {
 public:
  Encoders(const RobotModel& model, const SensorNoise& noise, std::uint64_t seed);

  /// Measures positions `q` [rad, m] and velocities `v` into `state`.
  void measure(std::span<const double> q, std::span<const double> v, JointState& state);

 private:
  void round_off(JointState& state);

  SensorNoise noise_;
  Random random_;
  bool has_counts_ = false;
  Eigen::MatrixXd counts_from_q_;  ///< K · J_a
  Eigen::MatrixXd q_from_counts_;  ///< J_a⁻¹ · K⁻¹
  Eigen::VectorXd offset_;         ///< a0 [counts]
  Eigen::VectorXd q_;
  Eigen::VectorXd counted_;
};

}  // namespace sinew
