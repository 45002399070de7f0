// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "sinew/model/robot_model.h"

namespace sinew {

/// Where a robot is put that nobody has measured: its posture `home`, or the middle of each range, zero where
/// there is no range. One number per position of the model [rad, m].
std::vector<double> starting_positions(const RobotModel& model);

/// The joints that have a motor in use, as a mask over the model's positions: bit i for position i.
std::uint64_t enabled_mask(const RobotModel& model);

/// How far each position may be measured off because its encoders count in wholes [rad, m]; zero where the
/// model does not say how they count.
std::vector<double> encoder_error(const RobotModel& model);

/// How far the gripper is open [m] when `joint` is at `position` [rad, m]: undoes gripper_position().
double gripper_width(const Gripper& gripper, const GripperJoint& joint, double position);

/// The positions that move an arm's tip, as a mask.
std::uint64_t arm_mask(const RobotModel& model, const Arm& arm);

/// On the limit, where a position [rad, m] is beyond it by no more than the rounding of files (1e-4 of its
/// size, as 3.1416 for pi); else as it is.
double without_rounding(const JointLimits& limits, double position);

}  // namespace sinew
