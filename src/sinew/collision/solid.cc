// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/collision/solid.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sinew/base/assert.h"

namespace sinew {

Solid make_sphere(double radius) {
  return {.kind = SolidKind::Sphere, .rounding = radius};
}

Solid make_capsule(double radius, double length) {
  return {.kind = SolidKind::Capsule, .half = {0.0, 0.0, 0.5 * length}, .rounding = radius};
}

Solid make_box(const Vector3& half_extents) {
  return {.kind = SolidKind::Box, .half = half_extents};
}

Solid make_cylinder(double radius, double length) {
  return {.kind = SolidKind::Cylinder, .half = {radius, radius, 0.5 * length}};
}

Solid make_plane() {
  return {.kind = SolidKind::Plane};
}

Solid make_hull(std::span<const Vector3> points, double rounding) {
  return {.kind = SolidKind::Hull, .rounding = rounding, .points = points};
}

Solid make_height_field(const HeightField& field) {
  return {.kind = SolidKind::HeightField, .field = &field};
}

Solid make_surface(const TriangleTree& surface) {
  return {.kind = SolidKind::Surface, .surface = &surface};
}

Status check_solid(const Solid& solid) {
  const bool is_number = solid.half.allFinite() && std::isfinite(solid.rounding);
  if (!is_number || solid.half.minCoeff() < 0.0 || solid.rounding < 0.0) {
    return Error{
        ErrorCode::InvalidInput,
        fmt::format("a solid has half extents {}, {}, {} and rounding {}; all must be finite and not "
                    "negative: give sizes in metres",
                    solid.half.x(), solid.half.y(), solid.half.z(), solid.rounding)};
  }
  if (solid.kind == SolidKind::HeightField && solid.field == nullptr) {
    return Error{ErrorCode::InvalidInput, "a height field without heights; make it from a HeightField"};
  }
  if (solid.kind == SolidKind::Surface && solid.surface == nullptr) {
    return Error{ErrorCode::InvalidInput, "a surface without triangles; make it from a TriangleTree"};
  }
  if (solid.kind == SolidKind::Hull && solid.points.empty()) {
    return Error{ErrorCode::InvalidInput, "a hull without points; give at least one"};
  }
  for (const Vector3& point : solid.points) {
    if (point.allFinite()) continue;
    return Error{ErrorCode::InvalidInput,
                 fmt::format("a hull has the point {}, {}, {}; all must be finite: repair the mesh",
                             point.x(), point.y(), point.z())};
  }
  return Done{};
}

namespace {

BoundingBall ball_of_points(std::span<const Vector3> points, double rounding) {
  Vector3 low = points.front();
  Vector3 high = low;
  for (const Vector3& point : points) {
    low = low.cwiseMin(point);
    high = high.cwiseMax(point);
  }
  BoundingBall ball{.centre = 0.5 * (low + high)};
  for (const Vector3& point : points) ball.radius = std::max(ball.radius, (point - ball.centre).norm());
  ball.radius += rounding;
  return ball;
}

BoundingBall ball_of_field(const HeightField& field) {
  const Vector3 size(field.extent().x(), field.extent().y(), field.highest() - field.floor());
  return {.centre = 0.5 * size + Vector3(0.0, 0.0, field.floor()), .radius = 0.5 * size.norm()};
}

}  // namespace

BoundingBall ball_around(const Solid& solid) {
  switch (solid.kind) {
    case SolidKind::Plane:
      return {.radius = std::numeric_limits<double>::infinity()};
    case SolidKind::HeightField:
      return ball_of_field(*solid.field);
    case SolidKind::Surface:
      return {.centre = solid.surface->nodes().front().centre, .radius = solid.surface->radius()};
    case SolidKind::Hull:
      return ball_of_points(solid.points, solid.rounding);
    case SolidKind::Cylinder:
      return {.radius = std::hypot(solid.half.x(), solid.half.z())};
    default:
      return {.radius = solid.half.norm() + solid.rounding};
  }
}

CoreBox core_box(const Solid& solid) {
  constexpr double kPlaneHalf = 1e3;  // [m]
  switch (solid.kind) {
    case SolidKind::Plane:
      return {.centre = {0.0, 0.0, -kPlaneHalf}, .half = Vector3::Constant(kPlaneHalf)};
    case SolidKind::HeightField: {
      const HeightField& field = *solid.field;
      const Vector3 half =
          0.5 * Vector3(field.extent().x(), field.extent().y(), field.highest() - field.floor());
      return {.centre = half + Vector3(0.0, 0.0, field.floor()), .half = half};
    }
    case SolidKind::Surface: {
      const TriangleTree::Node& all = solid.surface->nodes().front();
      return {.centre = all.centre, .half = all.half};
    }
    case SolidKind::Hull: {
      Vector3 low = solid.points.front();
      Vector3 high = low;
      for (const Vector3& point : solid.points) {
        low = low.cwiseMin(point);
        high = high.cwiseMax(point);
      }
      return {.centre = 0.5 * (low + high), .half = 0.5 * (high - low)};
    }
    default:
      return {.half = solid.half};
  }
}

SimpleHull simplify_hull(std::span<const Vector3> points, double tolerance, std::size_t most_points) {
  SimpleHull hull;
  if (points.empty() || most_points == 0) return hull;
  // the outermost along many directions first: they are corners of the true hull
  const Solid all = make_hull(points);
  const BoundingBall ball = ball_around(all);
  // how far each point may stick out; it only falls as the hull grows
  std::vector<double> out(points.size(), std::numeric_limits<double>::infinity());
  hull.points.push_back(
      *std::max_element(points.begin(), points.end(), [&](const Vector3& a, const Vector3& b) {
        return (a - ball.centre).squaredNorm() < (b - ball.centre).squaredNorm();
      }));
  while (true) {
    const Solid taken = make_hull(hull.points);
    double worst = 0.0;
    std::size_t worst_at = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (out[i] <= worst) continue;
      const Separation gap =
          separation(make_sphere(0.0), Placement(Matrix3::Identity(), points[i]), taken, Placement());
      // the distance found is a lower bound
      out[i] = std::max(gap.distance, 0.0) + kDistanceError;
      if (out[i] <= worst) continue;
      worst = out[i];
      worst_at = i;
    }
    hull.rounding = worst;
    if (worst <= tolerance || hull.points.size() == most_points) return hull;
    hull.points.push_back(points[worst_at]);
  }
}

}  // namespace sinew
