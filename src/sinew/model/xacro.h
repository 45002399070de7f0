// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/model/robot_files.h"
#include "sinew/model/xml.h"

namespace sinew {

struct XacroOptions {
  std::map<std::string, std::string> arguments;  ///< For `$(arg NAME)`; they win over defaults.
  std::vector<std::filesystem::path>
      package_paths;  ///< For `$(find NAME)`; folders above the file come next.
  /// The files that it may be made of; must outlive the reading.
  const RobotFiles* files = &RobotFiles::all();
};

/// Expands xacro: property, arg, macro (defaults, blocks), include (`ns` too), if, unless, insert_block,
/// element, attribute, `${…}` with lists, maps and load_yaml(), `$(arg)`, `$(find)`, `$(dirname)`, `$(eval)`.
/// Bounded in time, size and depth. Every element of the result knows the file and line that it was written
/// in.
Result<XmlElement> expand_xacro(const XmlElement& root, const XacroOptions& options = {});

/// The same for text; `file` names it, and includes start from its folder.
Result<XmlElement> expand_xacro_text(std::string_view text, const std::filesystem::path& file,
                                     const XacroOptions& options = {});

/// True when there is something to expand in it.
bool has_xacro(const XmlElement& root);

}  // namespace sinew
