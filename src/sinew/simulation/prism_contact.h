// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "sinew/spatial/pose.h"

namespace sinew {

inline constexpr std::size_t kMostPrismSides = 16;

/// A right prism over a convex polygon with an even number of corners, opposite sides parallel; a box is one.
struct Prism {
  Vector3 middle = Vector3::Zero();              ///< [m] In the world, as all here.
  Vector3 axis = Vector3::UnitZ();               ///< Unit length.
  double half_height = 0.0;                      ///< [m]
  std::size_t sides = 0;                         ///< 4 to kMostPrismSides.
  std::array<Vector3, kMostPrismSides> corners;  ///< [m] From the middle, about the axis, counter-clockwise.
};

/// Points in which two prisms touch with their faces.
struct PrismContact {
  struct Point {
    Vector3 place;          ///< [m] Half way between the two faces.
    double distance = 0.0;  ///< [m] Negative: so far they are pressed into each other.
  };
  Vector3 normal = Vector3::UnitZ();  ///< From the first to the second.
  std::array<Point, 5> points;
  std::size_t count = 0;
};

/// Where `a` and `b` touch when they do so with two faces that are parallel, or nearly so: the corners of
/// what the faces share, four of them that span it, and the deepest. No points: they do not touch. Nothing:
/// they touch in another manner, by an edge or a corner.
std::optional<PrismContact> touch_by_faces(const Prism& a, const Prism& b);

/// Where `prism` touches the ground, which is below the plane through `ground`: corners, chosen as above. The
/// normal, of unit length, points up, at the prism.
PrismContact touch_ground(const Vector3& ground, const Vector3& normal, const Prism& prism);

}  // namespace sinew
