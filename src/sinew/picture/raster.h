// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Inside the room: which triangle is seen where.

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace sinew::picture {

/// A corner on the raster: where it falls, and how near it is. `nearness` must be linear on the raster:
/// 1/depth in perspective, -depth in parallel projection.
struct RasterPoint {
  double x = 0.0;
  double y = 0.0;
  double nearness = 0.0;
};

/// A raster that keeps the nearest triangle of each sample. Sample (x, y) is the centre of its cell.
class Raster {
 public:
  static constexpr std::int32_t kNothing = -1;

  Raster(int width, int height);

  /// Triangles may lie partly or wholly outside.
  void draw(const std::array<RasterPoint, 3>& corners, std::int32_t triangle);

  int width() const { return width_; }
  int height() const { return height_; }
  std::int32_t triangle(int x, int y) const { return triangles_[index(x, y)]; }
  float nearness(int x, int y) const { return nearness_[index(x, y)]; }

 private:
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x);
  }

  int width_;
  int height_;
  std::vector<float> nearness_;
  std::vector<std::int32_t> triangles_;
};

}  // namespace sinew::picture
