// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "sinew/base/result.h"
#include "sinew/model/site.h"

namespace sinew {

/// FNV-1a over the content of all files that make the robot what it is for the controller: what lies beside
/// its URDF (descriptions, robot.yaml, variants), the meshes that the guard sees, and what was set up on
/// site. Robots with the same number move alike.
Result<std::uint64_t> robot_fingerprint(const RobotOnSite& robot);

}  // namespace sinew
