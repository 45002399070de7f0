// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/model/findings.h"
#include "sinew/model/robot_files.h"
#include "sinew/model/robot_model.h"
#include "sinew/model/xml.h"

namespace sinew {

/// Bounds on a robot; a reader refuses what is beyond them.
inline constexpr std::size_t kMostLinks = 4096;
inline constexpr std::size_t kMostPositions = 64;  ///< As many joints as a message carries; others are held.

struct UrdfOptions {
  /// Folders that hold packages, for `package://NAME/…`. The folders above the URDF are searched as well.
  std::vector<std::filesystem::path> package_paths;

  /// Arguments of a xacro file.
  std::map<std::string, std::string> xacro_arguments = {};
  /// The files that it may be made of; must outlive the reading.
  const RobotFiles* files = &RobotFiles::all();
};

/// A robot and what is odd about it.
struct ReadRobot {
  RobotModel model;
  std::vector<Remark> remarks;
};

/// The XML of a robot, and what is odd about its file.
struct RobotXml {
  XmlElement root;
  std::vector<Remark> remarks;
};

/// The XML of a URDF file; xacro in it is expanded. A file that is plain URDF but for some tags of xacro that
/// cannot be expanded is read without them, which is remarked.
Result<RobotXml> read_robot_xml(const std::filesystem::path& path, const UrdfOptions& options);

/// Reads a URDF or xacro file. Joints come in the file's order wherever that puts parents first.
Result<ReadRobot> read_urdf(const std::filesystem::path& path, const UrdfOptions& options = {});

/// Reads URDF text. `file` names it in messages, and relative mesh paths start from its folder.
Result<ReadRobot> read_urdf_text(std::string_view text, const std::filesystem::path& file,
                                 const UrdfOptions& options = {});

/// Reads a URDF that is XML already, such as what xacro makes.
Result<ReadRobot> read_urdf_tree(const XmlElement& root, const std::filesystem::path& file,
                                 const UrdfOptions& options = {});

}  // namespace sinew
