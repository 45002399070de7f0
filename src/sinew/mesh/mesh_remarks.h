// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "sinew/model/findings.h"
#include "sinew/model/robot_files.h"
#include "sinew/model/robot_model.h"

namespace sinew {

/// What is odd about the meshes that a robot names: those that cannot be read, that are not closed (of
/// collision shapes), larger than 50 m (millimetres read as metres) or smaller than 0.1 mm. `file` is where
/// they are named. Meshes that are missing were told when the robot was read.
std::vector<Remark> remarks_on_meshes(const RobotModel& model, const std::string& file,
                                      const RobotFiles& files = RobotFiles::all());

}  // namespace sinew
