// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <iosfwd>
#include <string>

#include "sinew/recording/mcap_reader.h"

#include "apps/cli/command.h"

namespace sinew::cli {

/// Draws a robot's recorded joints and the way of its tool into `path` (.svg or .png). `model` is the robot's
/// model; empty: the one of its name; where there is none, the joints are numbered and there is no way of a
/// tool.
Status plot_recording(const recording::McapReader& reader, const std::string& name, const std::string& model,
                      const std::string& path, std::ostream& out);

/// sinew lab plot
Command lab_plot_command();

}  // namespace sinew::cli
