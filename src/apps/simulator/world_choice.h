// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "sinew/simulation/scene.h"

#include "apps/cli/command.h"

namespace sinew {

/// The options by which a world and a robot in it are chosen: --world, --robot, --name, --posture.
std::vector<cli::Option> world_options();

/// The world that the options of world_options() choose. --robot puts a robot at the origin unless the world
/// has one of that name already, which then is of the model that was asked for; one that stands there in the
/// file makes room for it, so that a copy of a robot can be tried in the world of the robot.
Result<Scene> choose_world(const cli::Words& words);

}  // namespace sinew
