// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/collision/obstacles.h"
#include "sinew/messages/world.h"
#include "sinew/model/robot_model.h"

namespace sinew {

/// Obstacles with what their solids point to.
struct WorldInUse {
  Obstacles obstacles;
  std::deque<std::vector<Vector3>> hulls;
  std::deque<HeightField> fields;
};

/// What the message `world` means for the robot's guard. An object that cannot be understood refuses the
/// whole: half a world would be a trap.
Result<std::unique_ptr<WorldInUse>> read_world(const World& world, const RobotModel& model);

}  // namespace sinew
