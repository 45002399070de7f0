// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <iosfwd>
#include <vector>

#include "sinew/model/robot_model.h"

#include "apps/cli/command.h"

namespace sinew::cli {

/// The options that say what a picture shows: --posture, --q, --view, --size.
std::vector<Option> picture_options();

/// Draws the robot into the file that --picture names.
Status draw_picture(const Words& words, const RobotModel& model, std::ostream& out);

}  // namespace sinew::cli
