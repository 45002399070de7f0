// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Inside the room: shapes as triangles.

#include <array>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/model/robot_model.h"
#include "sinew/spatial/pose.h"

namespace sinew::picture {

/// A triangle to be drawn, in the world.
struct Facet {
  std::array<Vector3, 3> corners;    ///< [m]
  std::array<Vector3, 3> normals;    ///< Of unit length, outwards; equal on a flat face.
  Vector3 colour = Vector3::Ones();  ///< Linear light, 0 to 1.
};

/// Linear light of an sRGB colour, each 0 to 1, and back.
Vector3 linear_from_srgb(const Vector3& colour);
double srgb_from_linear(double light);

/// Adds the triangles of a shape whose frame G is at X_WG. A mesh that cannot be read is refused.
Status add_shape(const Shape& shape, const Pose& X_WG, const Vector3& colour, const RobotFiles& files,
                 std::vector<Facet>& facets);

/// Adds a cone-tipped arrow along z of X_WG.
void add_arrow(const Pose& X_WG, double length, const Vector3& colour, std::vector<Facet>& facets);

}  // namespace sinew::picture
