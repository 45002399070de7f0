// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/model/findings.h"
#include "sinew/model/robot_files.h"
#include "sinew/model/robot_model.h"
#include "sinew/model/robot_yaml.h"

namespace sinew {

struct LoadOptions {
  std::vector<std::filesystem::path> robot_paths;    ///< Folders that hold robots by name.
  std::vector<std::filesystem::path> package_paths;  ///< For `package://` and `$(find)`.
  /// Its SRDF. Empty: the one beside its file, if there is one.
  std::filesystem::path srdf = {};
  /// The files that it may be made of; must outlive the reading.
  const RobotFiles* files = &RobotFiles::all();
};

/// Robots in ./robots, in a folder `robots` above this program, and where an installation puts them.
LoadOptions usual_places();

/// Adds the folders `robots` and `share/sinew/robots` of `folder` and the three above it.
void add_places_above(std::filesystem::path folder, LoadOptions& options);

/// A robot as its folder says it is.
struct LoadedRobot {
  RobotModel model;
  RobotSettings settings;
  std::vector<Remark> remarks;
  std::filesystem::path urdf;  ///< The file that the model came from.
  std::string variant;         ///< As in "mds:isaac"; empty for the robot itself.
};

/// Loads a robot: by name from `robot_paths`, or by the path of its folder, its robot.yaml or its URDF. Its
/// SRDF (see find_srdf()) adds what these do not say. "NAME:VARIANT" lays variants/VARIANT.yaml of its folder
/// upon robot.yaml: maps entry by entry, lists and values whole. Links that a joint ties together are ignored
/// as pairs, "adjacent".
Result<LoadedRobot> load_robot(std::string_view name_or_path, const LoadOptions& options = usual_places());

/// The variants that a robot's folder holds, sorted.
std::vector<std::string> variant_names(const std::filesystem::path& folder);

/// The names of all robots in `robot_paths`, sorted.
std::vector<std::string> robot_names(const LoadOptions& options);

}  // namespace sinew
