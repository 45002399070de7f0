// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/model/findings.h"
#include "sinew/model/robot_files.h"
#include "sinew/model/robot_model.h"

namespace sinew {

/// A robot folder that has been made from a URDF.
struct NewRobot {
  RobotModel model;             ///< As the folder now loads.
  std::vector<Remark> remarks;  ///< Everything odd about the URDF, and every value that was proposed.
  std::filesystem::path folder;
};

struct NewRobotOptions {
  std::vector<std::filesystem::path> package_paths;         ///< For `package://` and `$(find)`.
  std::map<std::string, std::string> xacro_arguments = {};  ///< For `$(arg NAME)`.
  std::filesystem::path srdf = {};  ///< Empty: the one beside the URDF, if there is one (find_srdf()).
  bool may_replace = false;         ///< Write over a robot that is there.
  /// The files that it may be made of; must outlive the reading.
  const RobotFiles* files = &RobotFiles::all();
};

/// Makes `folder` with robot.urdf, robot.yaml, the meshes that were found and the SRDF if there is one: arms
/// as the SRDF has them or else found, limits proposed where the URDF has none, a tool frame at each tip,
/// home as the SRDF has it, at zero or in the middle.
Result<NewRobot> make_robot_folder(const std::filesystem::path& urdf, const std::filesystem::path& folder,
                                   const NewRobotOptions& options = {});

/// What is missing from a robot that can be read, such as masses, shapes and limits.
std::vector<Remark> remarks_on_gaps(const RobotModel& model, const std::string& file);

}  // namespace sinew
