// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/model/robot_model.h"
#include "sinew/trajectory/joint_curve.h"

namespace sinew {

/// Where a straight way leads, and how fast it may be gone.
struct WayTask {
  std::span<const double> from;  ///< [rad, m] One number per joint position of the robot.
  std::span<const double> to;
  std::uint64_t joint_mask = 0;  ///< The joints that move.
  double speed = 1.0;            ///< [1] Share of the velocity limits; acceleration and jerk follow.
};

/// What the joints in `joint_mask` may do, in order: the model's limits, and what the controller assumes
/// where there are none.
std::vector<AxisLimits> limits_of(const RobotModel& model, std::uint64_t joint_mask);

/// Appends to `trajectory`, whose joints are those of the mask in order, a motion from rest to rest along a
/// straight line in the joints, all of them in step, within limits. Nothing where there is nothing to do.
void append_straight_way(const RobotModel& model, const WayTask& task, Trajectory& trajectory);

}  // namespace sinew
