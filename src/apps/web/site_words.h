// SPDX-License-Identifier: BSD-3-Clause
// For .cc files of this app only: it brings nlohmann's header along.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "sinew/base/result.h"
#include "sinew/model/load_robot.h"
#include "sinew/model/robot_model.h"

namespace sinew {

/// Something that is wrong with what is to be set up on site.
struct SiteFinding {
  std::string about;    ///< "limits", "bounds"
  std::string name;     ///< Of the joint or bound; empty: all of them together.
  std::string message;  ///< What, and what to do about it.
};

/// What a page wants to be set up, as it would be kept.
struct SiteDraft {
  std::string text;                   ///< Of the file.
  RobotModel model;                   ///< The robot with it; as made when something is wrong.
  std::vector<SiteFinding> findings;  ///< All that is wrong.
};

/// {"limits": {JOINT: {"lower", "upper", "velocity", "acceleration", "jerk"}}, "bounds": [{"name", "kind",
/// "position", "rpy", "size", "normal", "of", "except"}]} as the text of a file, judged as that would be when
/// the robot starts.
SiteDraft draft_site(const nlohmann::ordered_json& wish, const RobotModel& made);

/// What a robot at `q`, one number per position, would be outside of, or too near to, with `wanted` instead
/// of `made`. Refused when its shapes cannot be read.
Result<std::vector<SiteFinding>> site_conflicts(const LoadedRobot& made, const RobotModel& wanted,
                                                std::span<const double> q);

/// The joints' limits: as made, what was set up on site, and what is in force; `in_force` may be null when
/// that is not known.
nlohmann::ordered_json site_limits_json(const RobotModel& made, const RobotModel& saved,
                                        const RobotModel* in_force);

/// The bounds of the workspace: those of robot.yaml, then those of the file `site`, from which `saved` came.
nlohmann::ordered_json site_bounds_json(const RobotModel& made, const RobotModel& saved,
                                        std::string_view site);

/// What a bound can be told to concern: {"links": those that move and have a shape, "tools": tools, or the
/// tips of arms without any}.
nlohmann::ordered_json site_parts_json(const RobotModel& model);

nlohmann::ordered_json findings_json(const std::vector<SiteFinding>& findings);

}  // namespace sinew
