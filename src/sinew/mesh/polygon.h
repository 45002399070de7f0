// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/spatial/pose.h"

namespace sinew {

/// Cuts flat polygons into triangles: convex ones as a fan, in a time that grows with their corners; others
/// by their ears (ear clipping), within a bound of work for all that it is given. One thread.
class PolygonCutter {
 public:
  /// Looks at corners that ears may cost in all: some tenths of a second, and some thousand corners.
  static constexpr std::size_t kMostLooks = 30'000'000;

  explicit PolygonCutter(std::size_t most_looks = kMostLooks) : looks_left_(most_looks) {}

  /// Adds the triangles, as places among the corners, with the polygon's winding; a polygon that crosses
  /// itself is cut somehow. False: it would cost more than is left.
  bool cut(std::span<const Vector3> corners, std::vector<std::array<std::uint32_t, 3>>& triangles);

 private:
  using Point = Eigen::Vector2d;
  bool cut_ears(std::vector<std::array<std::uint32_t, 3>>& triangles);
  bool is_ear(std::uint32_t before, std::uint32_t tip, std::uint32_t after);
  bool is_reflex(std::uint32_t before, std::uint32_t tip, std::uint32_t after) const;

  std::size_t looks_left_;
  // of the polygon that is being cut: seen along its normal, anticlockwise
  std::vector<Point> flat_;
  std::vector<std::uint32_t> next_;
  std::vector<std::uint32_t> before_;
};

}  // namespace sinew
