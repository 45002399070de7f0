// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "sinew/processes/roles.h"

#include "apps/cli/command.h"

namespace sinew::cli {

/// The rows of start, stop, status, make, kill, killall, resetbus and changerobot, in the order of the help.
std::vector<Command> start_stop_commands();

// each defined beside what it runs
extern const Command kStartCommand;
extern const Command kMakeCommand;
extern const Command kChangeRobotCommand;
extern const Command kStopCommand;
extern const Command kKillCommand;
extern const Command kKillAllCommand;
extern const Command kResetBusCommand;
extern const Command kStatusCommand;

/// Stops a robot, or all of the space when `name` is empty; says on stderr what happens.
Status stop_robots(const std::string& space, const std::string& name, double grace);

/// The supervisor's program, beside this one.
std::string supervisor_program();

}  // namespace sinew::cli
