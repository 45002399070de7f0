// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sinew/base/realtime.h"
#include "sinew/collision/obstacles.h"
#include "sinew/model/robot_model.h"

namespace sinew {

/// The bounds of a robot's workspace as objects that it must not touch: planes and boxes to keep out of as
/// they are ("workspace floor"), a box to stay in as the six half-spaces around it ("workspace cell +x"), and
/// first the points that they concern, each a ball without size on its link ("tool pen"). Refused when they
/// are more than there is room for.
Result<Obstacles> workspace_obstacles(const RobotModel& model);

/// The objects of `workspace`, then those of `world`, into `joined`: the index of an object of the world
/// grows by workspace.size(). False, and nothing has changed, when there is no room for all, or two share a
/// name. Allocates nothing.
[[nodiscard]] bool join_workspace(const Obstacles& workspace, const Obstacles& world,
                                  Obstacles& joined) SINEW_REALTIME;

}  // namespace sinew
