// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "sinew/base/result.h"
#include "sinew/model/load_robot.h"
#include "sinew/model/robot_model.h"

namespace sinew {

/// Lays what was set up on site upon a model: the sections `limits` and `workspace` of robot.yaml, in a file
/// of their own. Limits may only be narrower than the model's, and must leave it its home; bounds come beside
/// those that it has. When it is refused, the model is as it was. `file` is for the messages.
Status apply_site_text(std::string_view text, std::string_view file, RobotModel& model);

/// A robot as its folder says it is, and as it was set up where it stands.
struct RobotOnSite {
  LoadedRobot robot;
  std::string site;  ///< Text of the file; empty: there is none.
};

/// Loads a robot, and lays the file `site` upon it where there is one; an empty path means none. What is in
/// that file keeps people safe: one that cannot be read or understood is an error, never left out.
Result<RobotOnSite> load_robot_on_site(std::string_view name_or_path, const std::filesystem::path& site,
                                       const LoadOptions& options = usual_places());

/// What such a file is called, in the folder of what people have made of a robot.
inline constexpr std::string_view kSiteFile = "site.yaml";

/// The largest file of that kind [bytes].
inline constexpr std::size_t kMostSiteBytes = std::size_t{256} << 10U;

}  // namespace sinew
