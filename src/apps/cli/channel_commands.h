// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "apps/cli/command.h"

namespace sinew::cli {

/// The rows of `sinew channel …`, in the order of the help.
std::vector<Command> channel_commands();

// each defined beside what it runs
extern const Command kChannelLsCommand;
extern const Command kChannelInfoCommand;
extern const Command kChannelEchoCommand;
extern const Command kChannelPutCommand;
extern const Command kChannelHzCommand;
extern const Command kChannelLatencyCommand;
extern const Command kChannelMkCommand;
extern const Command kChannelRmCommand;
extern const Command kChannelBenchCommand;
extern const Command kChannelDemoCommand;

}  // namespace sinew::cli
