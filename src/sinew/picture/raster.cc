// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/picture/raster.h"

#include <algorithm>
#include <cmath>

namespace sinew::picture {
namespace {

// a·x + b·y + c: zero on the line from p to q, positive to one side
struct Line {
  double a = 0.0;
  double b = 0.0;
  double c = 0.0;
  double at(double x, double y) const { return a * x + b * y + c; }
};

Line line_through(const RasterPoint& p, const RasterPoint& q, double scale) {
  const double a = scale * (p.y - q.y);
  const double b = scale * (q.x - p.x);
  return {.a = a, .b = b, .c = -(a * p.x + b * p.y)};
}

// the first and last cell whose centre may lie between two places
std::array<int, 2> cells_between(double low, double high, int size) {
  const double first = std::clamp(std::floor(low - 0.5), 0.0, static_cast<double>(size));
  const double last = std::clamp(std::ceil(high - 0.5), -1.0, static_cast<double>(size - 1));
  return {static_cast<int>(first), static_cast<int>(last)};
}

}  // namespace

Raster::Raster(int width, int height)
    : width_(width),
      height_(height),
      nearness_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height),
                -std::numeric_limits<float>::infinity()),
      triangles_(nearness_.size(), kNothing) {}

void Raster::draw(const std::array<RasterPoint, 3>& corners, std::int32_t triangle) {
  const auto& [p, q, r] = corners;
  const double area = line_through(q, r, 1.0).at(p.x, p.y);
  if (!(std::abs(area) > 1e-12)) return;
  const Line qr = line_through(q, r, 1.0 / area);
  const Line rp = line_through(r, p, 1.0 / area);
  const Line pq = line_through(p, q, 1.0 / area);
  const auto [x0, x1] = cells_between(std::min({p.x, q.x, r.x}), std::max({p.x, q.x, r.x}), width_);
  const auto [y0, y1] = cells_between(std::min({p.y, q.y, r.y}), std::max({p.y, q.y, r.y}), height_);
  for (int y = y0; y <= y1; ++y) {
    for (int x = x0; x <= x1; ++x) {
      // weights of the corners, all of one sign inside
      const double u = qr.at(x + 0.5, y + 0.5);
      const double v = rp.at(x + 0.5, y + 0.5);
      const double w = pq.at(x + 0.5, y + 0.5);
      if (u < 0.0 || v < 0.0 || w < 0.0) continue;
      const auto near = static_cast<float>(u * p.nearness + v * q.nearness + w * r.nearness);
      const std::size_t i = index(x, y);
      if (near <= nearness_[i]) continue;
      nearness_[i] = near;
      triangles_[i] = triangle;
    }
  }
}

}  // namespace sinew::picture
