// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/collision/obstacles.h"
#include "sinew/messages/world.h"
#include "sinew/model/robot_model.h"
#include "sinew/motion/file_shape.h"

namespace sinew {

/// Obstacles with what their solids point to.
struct WorldInUse {
  Obstacles obstacles;
  std::vector<std::shared_ptr<const FileShape>> shapes;
};

/// What the message `world` means for the robot's guard. An object that cannot be understood refuses the
/// whole: half a world would be a trap. Reads the files of meshes and height fields, but those that `before`
/// has read already.
Result<std::unique_ptr<WorldInUse>> read_world(const World& world, const RobotModel& model,
                                               const WorldInUse* before = nullptr);

}  // namespace sinew
