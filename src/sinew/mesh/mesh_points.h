// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "sinew/model/robot_files.h"
#include "sinew/model/robot_model.h"

namespace sinew {

/// The corners of a mesh shape, scaled, in the shape's frame G [m]; none when its file cannot be read. What
/// the guard and the pair search take as the shape of a mesh.
std::vector<Vector3> points_of_mesh(const Shape& shape);
/// The same for a robot that may name only these files.
std::vector<Vector3> points_of_mesh_in(const RobotFiles& files, const Shape& shape);

}  // namespace sinew
