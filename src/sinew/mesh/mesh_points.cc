// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/mesh/mesh_points.h"

#include <utility>

#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

std::vector<Vector3> points_of_mesh(const Shape& shape) {
  if (shape.mesh_path.empty()) return {};
  auto mesh = read_mesh(shape.mesh_path, shape.mesh_scale);
  if (!mesh) return {};
  return std::move(mesh->vertices);
}

}  // namespace sinew
