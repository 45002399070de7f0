// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "sinew/base/result.h"
#include "sinew/model/findings.h"
#include "sinew/model/robot_model.h"
#include "sinew/model/yaml.h"

namespace sinew {

/// A section that other rooms give a meaning: keys joined by dots, list items by their number, as in
/// "axes.0.address". The values are as written.
using Settings = std::map<std::string, std::string>;

/// What robot.yaml says beside the model.
struct RobotSettings {
  std::string urdf;  ///< The robot's URDF or xacro file, relative to robot.yaml.
  Settings xacro;    ///< Arguments of the xacro file.
  Settings driver;
  Settings control;
  Settings motion;
  Settings processes;
};

/// The part of robot.yaml that must be known before the URDF is read.
Result<RobotSettings> read_robot_settings(const YamlNode& root);

/// Puts what robot.yaml says about arms, postures, names, limits and actuation into a model that was read
/// from the URDF.
Status apply_robot_yaml(const YamlNode& root, RobotModel& model);

}  // namespace sinew
