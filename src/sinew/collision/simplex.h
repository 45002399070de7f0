// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "sinew/spatial/pose.h"

/// The moving part of Gilbert, Johnson and Keerthi's distance algorithm. Inside this room only.
namespace sinew::collision {

/// A point of the difference A - B, and the points that made it.
struct Corner {
  Vector3 w;
  Vector3 a;
  Vector3 b;
};

/// Up to four corners, and the weights that make their point nearest to the origin.
struct Simplex {
  std::array<Corner, 4> corners;
  std::array<double, 4> weights{};
  int count = 0;

  Vector3 nearest() const;
  Vector3 point_a() const;
  Vector3 point_b() const;
  bool has(const Vector3& w) const;
  /// Adds a corner.
  void add(const Corner& corner) { corners[static_cast<std::size_t>(count++)] = corner; }
  /// Keeps the corners that carry the nearest point and weighs them. False: the origin is inside.
  bool reduce();
};

}  // namespace sinew::collision
