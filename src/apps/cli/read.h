// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "apps/cli/command.h"
#include "apps/cli/robot_link.h"

namespace sinew::cli {

extern const Command kReadCommand;

/// How long and how the reader looks.
struct ReadOptions {
  double seconds = 0.0;    ///< 0: until somebody leaves it.
  bool shows_all = false;  ///< Joints whose motors are not in use, too.
  bool is_json = false;    ///< A line of JSON for each look.
  bool is_text = false;    ///< As text, at a terminal too.
  std::function<Status()> on_look = [] {
    return Status(Done{});
  };                                                     ///< Called at each look, 20 times a second.
  std::function<bool()> is_done = [] { return false; };  ///< Asked after each look: leave it now?
  std::function<std::vector<std::string>()> lines_below = [] {
    return std::vector<std::string>();
  };  ///< What is shown below the table.
};

/// The live table: on a terminal until q or Ctrl-C, else as text once a second until Ctrl-C.
Status read_live(RobotLink& robot, const ReadOptions& options, std::ostream& out);

/// The options by which commands choose a running robot: --robot NAME, --model NAME.
std::vector<Option> robot_options();
Result<RobotLink> open_robot(const Words& words);

}  // namespace sinew::cli
