// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "apps/cli/joint_rows.h"
#include "apps/cli/robot_link.h"

namespace sinew::cli {

/// How the reader's picture is drawn.
struct ViewOptions {
  int columns = 80;
  int rows = 0;            ///< Lines to fill at most; 0: as many as there are.
  int first_joint = 0;     ///< Of the rows shown: the table scrolls.
  bool shows_all = false;  ///< Joints whose motors are not in use, too.
  bool has_colour = false;
};

/// The reader's picture as lines, none wider than asked for: state and timing of the robot, then a table of
/// its joints.
std::vector<std::string> view_lines(const RobotLink& robot, const ViewOptions& options);

/// How far the table can be scrolled.
int last_first_joint(const RobotLink& robot, const ViewOptions& options);

/// The same for programs.
nlohmann::ordered_json view_json(const RobotLink& robot);

}  // namespace sinew::cli
