// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include <nlohmann/json.hpp>

#include "sinew/base/result.h"
#include "sinew/model/findings.h"
#include "sinew/model/new_robot.h"
#include "sinew/model/robot_model.h"

namespace sinew::cli {

/// A robot for programs: SI units, null where something is not known.
nlohmann::ordered_json model_json(const RobotModel& model, const std::vector<Remark>& remarks);

/// The chains of a robot: name, base, tip, joints.
nlohmann::ordered_json chains_json(const RobotModel& model);

/// Remarks as texts.
nlohmann::ordered_json remarks_json(const std::vector<Remark>& remarks);

/// What a program gets when a robot folder was made: name, folder, chains, and everything odd.
nlohmann::ordered_json new_robot_json(const NewRobot& robot);

/// What a program gets when there is no robot.
nlohmann::ordered_json refusal_json(const Error& error);

}  // namespace sinew::cli
