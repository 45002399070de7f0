// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "sinew/model/robot_model.h"

namespace sinew {

/// What each position needs at most to hold the robot's own weight [N·m, N], over postures drawn within
/// limits, the robot standing upright. Links without <inertial> weigh nothing.
std::vector<double> holding_efforts(const RobotModel& model);

}  // namespace sinew
