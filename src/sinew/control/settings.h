// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>

#include "sinew/base/result.h"
#include "sinew/control/controller.h"

namespace sinew {

/// The section `control` of robot.yaml: what of the cycle is particular to a robot.
struct RobotControl {
  ControlSettings cycle;
  double margin = 0.01;               ///< [m] Links keep this far apart, and from the world.
  double tracking_allowance = 0.003;  ///< [m] How far a link may be from where it was sent.
  std::int64_t early_wake_ns = 0;     ///< The process wakes up this much before a cycle is due, and waits.
  std::map<std::string, int> priorities;  ///< By who commands; zero for others.
};

/// For the guard's shapes: the margin, and what the device may be off its command besides.
RobotShapesOptions guard_options(const RobotControl& control, MeshPoints mesh_points = {});

/// Reads it from its keys and values; a key that nobody knows is refused with the nearest that is.
Result<RobotControl> read_control(const std::map<std::string, std::string>& settings);

}  // namespace sinew
