// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/spatial/pose.h"

namespace sinew {

/// The corners of a mesh's convex hull that stand out furthest in some 200 directions, evenly spread: what
/// physics needs of it. [m], scale applied.
Result<std::vector<Vector3>> hull_points_of_file(const std::string& path, const Vector3& scale);

/// The points that stand out furthest, each once, in the order of the directions.
std::vector<Vector3> outermost(std::span<const Vector3> points);

}  // namespace sinew
