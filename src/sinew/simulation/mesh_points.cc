// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/simulation/mesh_points.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/mesh/triangle_mesh.h"

namespace sinew {
namespace {

constexpr int kDirections = 200;

// Evenly spread over the sphere: Fibonacci's lattice.
Vector3 direction(int i) {
  const double z = 1.0 - 2.0 * (i + 0.5) / kDirections;
  const double angle = std::numbers::pi * (3.0 - std::sqrt(5.0)) * i;
  const double radius = std::sqrt(1.0 - z * z);
  return {radius * std::cos(angle), radius * std::sin(angle), z};
}

}  // namespace

std::vector<Vector3> outermost(std::span<const Vector3> points) {
  std::vector<Vector3> found;
  for (int i = 0; i < kDirections; ++i) {
    const Vector3 d = direction(i);
    const auto best = std::ranges::max_element(points, {}, [&](const Vector3& p) { return d.dot(p); });
    if (best == points.end()) break;
    if (std::ranges::find(found, *best) == found.end()) found.push_back(*best);
  }
  return found;
}

Result<std::vector<Vector3>> hull_points_of_file(const std::string& path, const Vector3& scale) {
  const auto mesh = read_mesh(path, scale);
  if (!mesh) return mesh.error();
  return outermost(mesh->vertices);
}

}  // namespace sinew
