// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/base/realtime.h"
#include "sinew/collision/obstacles.h"
#include "sinew/collision/robot_shapes.h"

namespace sinew {

/// [m] A link this near to the ground in the posture home stands on it.
inline constexpr double kStandsWithin = 0.015;

/// Whether a robot may stand on the object: a plane or a height field that looks up and is fixed in the
/// world. Bounds of the workspace are none: they say themselves whom they concern.
bool is_ground(const Obstacle& object) SINEW_REALTIME;

/// Whether `link` is meant to touch the ground. Those that no joint moves may; of the others those that
/// robot.yaml names under `stands_on_floor`, and where it names none, those that touch the ground in the
/// posture home. `X_RL_home`: the frames of all links then, in the root link.
bool stands_on(const RobotShapes& shapes, std::span<const Placement> X_RL_home, std::size_t link,
               const Obstacle& ground) SINEW_REALTIME;

/// The links that may touch a floor at the height of the root link's origin, and are moved by joints or have
/// a shape: for people.
std::vector<std::size_t> links_on_floor(const RobotShapes& shapes);

}  // namespace sinew
