// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/mesh/polygon.h"

#include <cmath>
#include <numbers>

#include <Eigen/Geometry>

namespace sinew {
namespace {

using Point = Eigen::Vector2d;

/// Twice the area of a triangle, positive when it is anticlockwise.
double turn(const Point& a, const Point& b, const Point& c) {
  const Point u = b - a;
  const Point v = c - a;
  return u.x() * v.y() - u.y() * v.x();
}

// Newell's normal: the sum of what each edge sweeps, whatever the shape.
Vector3 normal_of(std::span<const Vector3> corners) {
  Vector3 normal = Vector3::Zero();
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vector3 a = corners[i] - corners[0];
    const Vector3 b = corners[(i + 1) % corners.size()] - corners[0];
    normal += a.cross(b);
  }
  return normal;
}

// Along the axis that the normal is nearest to, so that nothing falls together.
std::vector<Point> seen_along(const Vector3& normal, std::span<const Vector3> corners) {
  Eigen::Index axis = 0;
  normal.cwiseAbs().maxCoeff(&axis);
  const Eigen::Index x = (axis + 1) % 3;
  const Eigen::Index y = (axis + 2) % 3;
  const double side = normal[axis] < 0.0 ? -1.0 : 1.0;
  std::vector<Point> flat;
  flat.reserve(corners.size());
  for (const Vector3& corner : corners) flat.emplace_back(corner[x], side * corner[y]);
  return flat;
}

// No corner lies inside by more than what numbers of a file are rounded by, and all turns make one round.
bool is_convex_round(const std::vector<Point>& flat) {
  constexpr double kRounded = 1e-6;  // of the whole
  Eigen::AlignedBox2d box;
  for (const Point& point : flat) box.extend(point);
  const double tolerance = kRounded * box.sizes().maxCoeff();
  double turned = 0.0;
  const std::size_t count = flat.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Point& a = flat[i];
    const Point& b = flat[(i + 1) % count];
    const Point& c = flat[(i + 2) % count];
    const double area = turn(a, b, c);
    if (area < -tolerance * (c - a).norm()) return false;
    if (a != b && b != c) turned += std::atan2(area, (b - a).dot(c - b));
  }
  return turned < 3.0 * std::numbers::pi;
}

}  // namespace

bool PolygonCutter::is_reflex(std::uint32_t before, std::uint32_t tip, std::uint32_t after) const {
  return turn(flat_[before], flat_[tip], flat_[after]) <= 0.0;
}

// Whether the corner can be cut off: it stands out, and no other corner lies in what is cut.
bool PolygonCutter::is_ear(std::uint32_t before, std::uint32_t tip, std::uint32_t after) {
  if (is_reflex(before, tip, after)) return false;
  const Point& a = flat_[before];
  const Point& b = flat_[tip];
  const Point& c = flat_[after];
  for (std::uint32_t i = next_[after]; i != before; i = next_[i]) {
    if (looks_left_ == 0) return false;
    --looks_left_;
    const Point& p = flat_[i];
    const bool is_same = p == a || p == b || p == c;
    if (!is_same && turn(a, b, p) >= 0.0 && turn(b, c, p) >= 0.0 && turn(c, a, p) >= 0.0) return false;
  }
  return true;
}

bool PolygonCutter::cut_ears(std::vector<std::array<std::uint32_t, 3>>& triangles) {
  const auto count = static_cast<std::uint32_t>(flat_.size());
  next_.resize(count);
  before_.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    next_[i] = (i + 1) % count;
    before_[i] = (i + count - 1) % count;
  }
  std::uint32_t tip = 0;
  std::uint32_t left = count;
  for (std::uint32_t without = 0; left > 3;) {
    // one that crosses itself may have no ear: then any corner is cut
    const bool is_cut = without >= left || is_ear(before_[tip], tip, next_[tip]);
    if (looks_left_ == 0) return false;
    --looks_left_;
    if (!is_cut) {
      ++without;
      tip = next_[tip];
      continue;
    }
    without = 0;
    triangles.push_back({before_[tip], tip, next_[tip]});
    next_[before_[tip]] = next_[tip];
    before_[next_[tip]] = before_[tip];
    --left;
    // not the next one, so that triangles do not all meet in one corner
    tip = next_[next_[tip]];
  }
  triangles.push_back({before_[tip], tip, next_[tip]});
  return true;
}

bool PolygonCutter::cut(std::span<const Vector3> corners,
                        std::vector<std::array<std::uint32_t, 3>>& triangles) {
  const auto count = static_cast<std::uint32_t>(corners.size());
  if (count < 3) return true;
  if (count > 3) flat_ = seen_along(normal_of(corners), corners);
  if (count > 3 && !is_convex_round(flat_)) return cut_ears(triangles);
  for (std::uint32_t i = 1; i + 1 < count; ++i) triangles.push_back({0, i, i + 1});
  return true;
}

}  // namespace sinew
