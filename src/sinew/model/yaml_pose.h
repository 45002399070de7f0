// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sinew/model/yaml.h"
#include "sinew/spatial/pose.h"

namespace sinew {

/// A pose from the entries `xyz` [m] and `rpy` [rad] or `rpy_deg` of a map; what is missing is zero.
Pose pose_from(const YamlNode& map, Findings& findings);

}  // namespace sinew
