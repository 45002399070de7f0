// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>

#include "sinew/base/result.h"
#include "sinew/model/new_robot.h"
#include "sinew/model/robot_model.h"

namespace sinew::cli {

/// Finds the pairs of links of a new robot that need no check for collision, with a progress bar on stderr,
/// and adds them to its model and its robot.yaml. Links that have no shape to check are added to its remarks.
/// Where two links are nearer at home than the guard usually keeps, robot.yaml gets a margin that lets them
/// go.
Status add_ignored_pairs(NewRobot& robot, const RobotFiles& files = RobotFiles::all(),
                         std::size_t samples = 10000);

/// The section of robot.yaml for the pairs of `model` from `first` on.
std::string ignored_pairs_yaml(const RobotModel& model, std::size_t first);

}  // namespace sinew::cli
