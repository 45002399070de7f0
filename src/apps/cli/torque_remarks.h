// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "sinew/model/load_robot.h"

namespace sinew {

/// What the motors of a robot cannot do of what its limits promise, with the payload that its robot.yaml
/// states at the tip of each arm; and what is not known of them. Takes up to a second for a robot of many
/// joints.
std::vector<Remark> remarks_on_torque(const LoadedRobot& robot);
/// The same for a payload [kg] stated otherwise; zero: none.
std::vector<Remark> remarks_on_torque(const RobotModel& model, double payload, const std::string& file);

}  // namespace sinew
