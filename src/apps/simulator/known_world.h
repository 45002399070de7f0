// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/messages/world.h"
#include "sinew/simulation/scene.h"

namespace sinew {

/// What a robot of a scene knows of it from the start: the floor and the things that stand fast, but those
/// that world.yaml says are not known. What it has to grasp it must come to know by itself.
struct KnownWorld {
  std::unique_ptr<World> world;      ///< In the frame of the robot's root link.
  std::vector<std::string> remarks;  ///< What its guard has no shape for.
};
KnownWorld known_world(const Scene& scene, std::size_t robot);

/// Puts it on `ROBOT/world` of `space`, for guard and motion; but where somebody has put a world, that holds.
/// Returns the remarks.
Result<std::vector<std::string>> tell_known_world(const Scene& scene, std::size_t robot,
                                                  const std::string& space);

}  // namespace sinew
