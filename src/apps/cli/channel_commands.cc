// SPDX-License-Identifier: BSD-3-Clause
#include "apps/cli/channel_commands.h"

namespace sinew::cli {

std::vector<Command> channel_commands() {
  return {kChannelLsCommand,    kChannelInfoCommand,    kChannelEchoCommand, kChannelPutCommand,
          kChannelHzCommand,    kChannelLatencyCommand, kChannelMkCommand,   kChannelRmCommand,
          kChannelBenchCommand, kChannelDemoCommand};
}

}  // namespace sinew::cli
