// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>

#include "sinew/base/result.h"
#include "sinew/model/robot_model.h"

namespace sinew {

/// What the device counts when the joints are at `q` [rad, m]. The model must have an actuation, and q one
/// entry per position.
Eigen::VectorXd actuator_counts(const RobotModel& model, std::span<const double> q);

/// Where the joints are [rad, m] when the device counts `counts`, one entry per actuator.
Eigen::VectorXd joint_positions(const RobotModel& model, std::span<const double> counts);

/// Fills in the side of J_a that is not given (an empty matrix), then checks the whole: sizes, scales, that
/// J_a can be inverted, and that joints → counts → joints comes back to 1e-9.
Status complete_actuation(Actuation& actuation);

}  // namespace sinew
