// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "apps/cli/command.h"

namespace sinew::cli {

/// The speeds that a world can be told [robot seconds per second].
inline constexpr double kSlowestWorld = 0.01;
inline constexpr double kFastestWorld = 100.0;

/// `sinew sim pause | resume | step | speed | input | reset`: a running world, over its channels.
std::vector<Command> sim_control_commands();

/// A world's speed as people write it [robot seconds per second]: 0.01 to 100; "max" is 0: as fast as it can.
Result<double> world_speed(const std::string& text);

}  // namespace sinew::cli
