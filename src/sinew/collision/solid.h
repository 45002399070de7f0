// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "sinew/base/realtime.h"
#include "sinew/base/result.h"
#include "sinew/collision/triangle_tree.h"
#include "sinew/spatial/pose.h"

namespace sinew {

enum class SolidKind : std::uint8_t { Sphere, Capsule, Box, Cylinder, Hull, Plane, HeightField, Surface };

/// A ground of heights over a grid, solid below. Between grid points the higher of the four corners of a cell
/// counts: never lower than the surface. Made once; keeps the highest of ever larger squares for fast
/// queries.
class HeightField {
 public:
  /// `heights` [m] row by row, x fastest: point (i, j) stands at x = i·cell.x, y = j·cell.y from the corner
  /// that is the origin.
  static Result<HeightField> make(std::size_t columns, std::size_t rows, const Eigen::Vector2d& cell,
                                  std::span<const double> heights);

  std::size_t columns() const noexcept { return columns_; }
  std::size_t rows() const noexcept { return rows_; }
  const Eigen::Vector2d& cell() const noexcept { return cell_; }
  /// From the first point to the last along x and y [m].
  Eigen::Vector2d extent() const {
    return {cell_.x() * static_cast<double>(columns_ - 1), cell_.y() * static_cast<double>(rows_ - 1)};
  }
  double highest() const noexcept { return levels_.back().heights.front(); }
  /// It is solid from its surface down to here: kThickness below its lowest point [m].
  double floor() const noexcept { return floor_; }
  static constexpr double kThickness = 10.0;

  /// Cells joined two by two, level by level; the last has one.
  struct Level {
    std::size_t columns = 0;
    std::size_t rows = 0;
    std::vector<double> heights;
  };
  std::span<const Level> levels() const noexcept { return levels_; }

 private:
  HeightField() = default;
  std::size_t columns_ = 0;
  std::size_t rows_ = 0;
  Eigen::Vector2d cell_ = Eigen::Vector2d::Zero();
  double floor_ = 0.0;
  std::vector<Level> levels_;
};

/// A body in its own frame S, around its origin. A plain value; what a hull, a height field or a surface
/// points to must outlive it. All but those last two are convex: a core, and everything within `rounding` of
/// it.
struct Solid {
  SolidKind kind = SolidKind::Sphere;
  Vector3 half = Vector3::Zero();         ///< Core [m]: half extents of a box; of a cylinder, radius and half
                                          ///< length (z); of a capsule, half length (z) of its axis.
  double rounding = 0.0;                  ///< [m]
  std::span<const Vector3> points{};      ///< Hull: the corners of its core.
  const HeightField* field = nullptr;     ///< Height field.
  const TriangleTree* surface = nullptr;  ///< Surface.
};

Solid make_sphere(double radius);
/// Along z; `length` is that of its axis, without the round ends.
Solid make_capsule(double radius, double length);
Solid make_box(const Vector3& half_extents);
/// Along z.
Solid make_cylinder(double radius, double length);
/// The half-space z <= 0.
Solid make_plane();
Solid make_hull(std::span<const Vector3> points, double rounding = 0.0);
Solid make_height_field(const HeightField& field);
/// Triangles, each exact; nothing is filled in.
Solid make_surface(const TriangleTree& surface);

/// Whether all numbers are finite and not negative, and what is pointed to is there.
Status check_solid(const Solid& solid);

/// Few points and a rounding that together hold all of many: what makes a mesh cheap. Never smaller than the
/// convex hull of the mesh, larger by at most `rounding`.
struct SimpleHull {
  std::vector<Vector3> points;
  double rounding = 0.0;  ///< [m]
};
/// Takes points until the rounding is at most `tolerance` [m] or `most_points` are taken.
SimpleHull simplify_hull(std::span<const Vector3> points, double tolerance = 1e-3,
                         std::size_t most_points = 64);

/// The smallest handy sphere around a solid, in S; infinite for a plane.
struct BoundingBall {
  Vector3 centre = Vector3::Zero();
  double radius = 0.0;  ///< [m]
};
BoundingBall ball_around(const Solid& solid);

/// A box along the axes around the core of a solid, in S: with `rounding` around it, it holds the solid. Of a
/// plane, a kilometre each way.
struct CoreBox {
  Vector3 centre = Vector3::Zero();
  Vector3 half = Vector3::Zero();  ///< [m]
};
CoreBox core_box(const Solid& solid);

/// Rotation and origin of a frame B in A, ready for use: a Pose whose rotation has been written out.
struct Placement {
  Matrix3 R = Matrix3::Identity();
  Vector3 p = Vector3::Zero();  ///< [m]

  Placement() = default;
  Placement(const Matrix3& rotation, const Vector3& position) : R(rotation), p(position) {}
  explicit Placement(const Pose& X) : R(X.rotation.toRotationMatrix()), p(X.position) {}
  Placement operator*(const Placement& other) const { return {R * other.R, R * other.p + p}; }
  Vector3 operator*(const Vector3& point) const { return R * point + p; }
};

/// How far apart two solids are, and where.
struct Separation {
  /// [m] Never more than the truth, and less by at most 2 µm (kDistanceError) when positive. Negative: how
  /// deep they are in each other; exact between spheres, capsules, boxes and planes, else perhaps too deep.
  double distance = 0.0;
  Vector3 point_a = Vector3::Zero();  ///< The nearest points, in W [m]; inside each other, B moved
                                      ///< from b to a is just out.
  Vector3 point_b = Vector3::Zero();
  /// The unit vector from A to B, in W, across which a gap of `distance` lies between all of A and all of B;
  /// zero when there is no such gap or it is not known.
  Vector3 normal = Vector3::Zero();
};
inline constexpr double kDistanceError = 2e-6;

/// What makes the search for a distance shorter.
struct SearchHints {
  double slack = 0.0;                ///< [m] By this much the distance may also be less than the truth.
  Vector3 normal = Vector3::Zero();  ///< A guess of the unit vector from A to B, in W; zero: none.
};

/// The distance of A and B. Once it is known to be more than `enough` [m] the search ends: the distance
/// returned is then some lower bound beyond `enough`, without points. Between two of plane and height field
/// it is infinite.
Separation separation(const Solid& a, const Placement& X_WA, const Solid& b, const Placement& X_WB,
                      double enough = std::numeric_limits<double>::infinity(),
                      const SearchHints& hints = {}) SINEW_REALTIME;
/// How wide a gap lies across the unit vector `n` (in W, from A to B) between all of A and all of B [m]:
/// never more than their distance, and soon known. Negative: none lies there; minus infinity where A or B is
/// not convex or has no end.
double gap_across(const Vector3& n, const Solid& a, const Placement& X_WA, const Solid& b,
                  const Placement& X_WB) SINEW_REALTIME;
/// Whether their distance is at most `bound` (0 or more) [m], which is known sooner than the distance.
bool is_within(const Solid& a, const Placement& X_WA, const Solid& b, const Placement& X_WB,
               double bound) SINEW_REALTIME;

}  // namespace sinew
