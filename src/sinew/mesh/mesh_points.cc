// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/mesh/mesh_points.h"

#include <utility>

#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

std::vector<Vector3> points_of_mesh(const Shape& shape) {
  return points_of_mesh_in(RobotFiles::all(), shape);
}

std::vector<Vector3> points_of_mesh_in(const RobotFiles& files, const Shape& shape) {
  if (shape.mesh_path.empty()) return {};
  auto mesh = read_mesh(shape.mesh_path, shape.mesh_scale, files);
  if (!mesh) return {};
  return std::move(mesh->vertices);
}

}  // namespace sinew
