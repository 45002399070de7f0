// SPDX-License-Identifier: BSD-3-Clause
// Distance by Gilbert, Johnson and Keerthi's algorithm on the cores; depth by trying the axes of both.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "sinew/base/fixed_vector.h"
#include "sinew/collision/simplex.h"
#include "sinew/collision/solid.h"

namespace sinew {
namespace {

using collision::Corner;
using collision::Simplex;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kMostSteps = 64;
constexpr double kGap = 0.5 * kDistanceError;

Vector3 support_of_points(std::span<const Vector3> points, const Vector3& d) {
  double best = -kInfinity;
  const Vector3* at = points.data();
  for (const Vector3& point : points) {
    const double along = point.dot(d);
    if (along <= best) continue;
    best = along;
    at = &point;
  }
  return *at;
}

// The point of a core farthest in direction d, both in its own frame.
Vector3 support(const Solid& solid, const Vector3& d) {
  switch (solid.kind) {
    case SolidKind::Sphere:
      return Vector3::Zero();
    case SolidKind::Capsule:
      return {0.0, 0.0, std::copysign(solid.half.z(), d.z())};
    case SolidKind::Box:
      return {std::copysign(solid.half.x(), d.x()), std::copysign(solid.half.y(), d.y()),
              std::copysign(solid.half.z(), d.z())};
    case SolidKind::Cylinder: {
      const double across = std::sqrt(d.x() * d.x() + d.y() * d.y());
      const double scale = across > 0.0 ? solid.half.x() / across : 0.0;
      return {d.x() * scale, d.y() * scale, std::copysign(solid.half.z(), d.z())};
    }
    default:
      return support_of_points(solid.points, d);
  }
}

/// Two convex solids, B seen from A's frame.
struct Couple {
  const Solid& a;
  const Solid& b;
  Placement X_AB;

  double rounding() const { return a.rounding + b.rounding; }
  /// The corner of A - B farthest in direction d.
  Corner corner(const Vector3& d) const {
    const Vector3 p_a = support(a, d);
    const Vector3 p_b = X_AB * support(b, -(X_AB.R.transpose() * d));
    return {.w = p_a - p_b, .a = p_a, .b = p_b};
  }
};

Separation at_points(const Placement& X_WA, double distance, const Vector3& a, const Vector3& b) {
  return {.distance = distance, .point_a = X_WA * a, .point_b = X_WA * b};
}

using Directions = FixedVector<Vector3, 24>;

void add_direction(Directions& all, const Vector3& d) {
  const double length = d.norm();
  if (length > 1e-9) all.push_back(d / length);
}

// The axes of both, their crosses, and the way from centre to centre, whole and across each axis z. Between
// points, segments and boxes the least depth is among the first fifteen.
Directions directions_of(const Couple& couple) {
  Directions all;
  for (int i = 0; i < 3; ++i) {
    all.push_back(Vector3::Unit(i));
    all.push_back(couple.X_AB.R.col(i));
    for (int j = 0; j < 3; ++j) add_direction(all, Vector3::Unit(i).cross(couple.X_AB.R.col(j)));
  }
  const Vector3& between = couple.X_AB.p;
  const Vector3 z_b = couple.X_AB.R.col(2);
  add_direction(all, between);
  add_direction(all, {between.x(), between.y(), 0.0});
  add_direction(all, between - between.dot(z_b) * z_b);
  return all;
}

// Cores that overlap: the shortest way out among some directions, which is never shorter than the shortest.
Separation depth_of(const Couple& couple, const Placement& X_WA) {
  double least = kInfinity;
  Vector3 out = Vector3::UnitZ();
  Corner corner = couple.corner(out);
  for (const Vector3& axis : directions_of(couple)) {
    for (const Vector3& d : {axis, Vector3(-axis)}) {
      const Corner there = couple.corner(d);
      const double depth = there.w.dot(d);
      if (depth >= least) continue;
      least = depth;
      out = d;
      corner = there;
    }
  }
  const double depth = std::max(least, 0.0) + couple.rounding();
  const Vector3 point_b = corner.b - couple.b.rounding * out;
  return at_points(X_WA, -depth, point_b + depth * out, point_b);
}

Separation finished(const Couple& couple, const Placement& X_WA, const Simplex& simplex, double lower,
                    const Vector3& across) {
  const Vector3 v = simplex.nearest();
  const Vector3 from_b = v / std::max(v.norm(), 1e-300);
  Separation gap = at_points(X_WA, lower - couple.rounding(), simplex.point_a() - couple.a.rounding * from_b,
                             simplex.point_b() + couple.b.rounding * from_b);
  gap.normal = X_WA.R * across;
  return gap;
}

Separation convex_separation(const Couple& couple, const Placement& X_WA, double enough,
                             const SearchHints& hints = {}) {
  const double far_enough = enough + couple.rounding();
  const double near_enough = kGap + hints.slack;
  Simplex simplex;
  simplex.add(couple.corner(hints.normal.isZero() ? couple.X_AB.p : X_WA.R.transpose() * hints.normal));
  simplex.reduce();
  // a plane between them, across which B lies in direction `across`, proves this much
  double lower = -kInfinity;
  Vector3 across = Vector3::Zero();
  for (int step = 0; step < kMostSteps; ++step) {
    const Vector3 v = simplex.nearest();
    const double length = v.norm();
    if (length < 1e-9) return depth_of(couple, X_WA);
    const Corner corner = couple.corner(-v);
    if (const double proven = corner.w.dot(v) / length; proven > lower) {
      lower = proven;
      across = -v / length;
    }
    if (lower > std::max(far_enough, 0.0))
      return {.distance = lower - couple.rounding(), .normal = X_WA.R * across};
    if (length - lower <= near_enough || simplex.has(corner.w)) break;
    simplex.add(corner);
    if (!simplex.reduce()) return depth_of(couple, X_WA);
  }
  return finished(couple, X_WA, simplex, lower, across);
}

// The search ends with the first plane that leaves more than `bound`, or the first points that are nearer.
bool convex_within(const Couple& couple, double bound) {
  const double reach = bound + couple.rounding();
  Simplex simplex;
  simplex.add(couple.corner(couple.X_AB.p));
  simplex.reduce();
  double lower = -kInfinity;
  for (int step = 0; step < kMostSteps; ++step) {
    const Vector3 v = simplex.nearest();
    const double length = v.norm();
    if (length <= std::max(reach, 1e-9)) return true;
    const Corner corner = couple.corner(-v);
    lower = std::max(lower, corner.w.dot(v) / length);
    if (lower > reach) return false;
    if (length - lower <= kGap || simplex.has(corner.w)) break;
    simplex.add(corner);
    if (!simplex.reduce()) return true;
  }
  return lower <= reach;
}

Separation sphere_separation(const Couple& couple, const Placement& X_WA) {
  const Vector3& between = couple.X_AB.p;
  const double length = between.norm();
  const Vector3 n = length > 1e-12 ? Vector3(between / length) : Vector3(Vector3::UnitZ());
  Separation gap =
      at_points(X_WA, length - couple.rounding(), couple.a.rounding * n, between - couple.b.rounding * n);
  gap.normal = X_WA.R * n;
  return gap;
}

// A is the plane.
Separation plane_separation(const Couple& couple, const Placement& X_WA) {
  const Vector3 down = -couple.X_AB.R.row(2).transpose();
  const Vector3 lowest = couple.X_AB * support(couple.b, down) - Vector3(0.0, 0.0, couple.b.rounding);
  Separation gap = at_points(X_WA, lowest.z(), {lowest.x(), lowest.y(), 0.0}, lowest);
  gap.normal = X_WA.R.col(2);
  return gap;
}

/// A square of a height field's cells.
struct Square {
  std::size_t level, i, j;
};

Placement column_of(const HeightField& field, const Square& square, Solid& box) {
  const Eigen::Vector2d sides = field.cell() * static_cast<double>(std::size_t{1} << square.level);
  const double x = sides.x() * static_cast<double>(square.i);
  const double y = sides.y() * static_cast<double>(square.j);
  const double x_end = std::min(x + sides.x(), field.extent().x());
  const double y_end = std::min(y + sides.y(), field.extent().y());
  const HeightField::Level& level = field.levels()[square.level];
  const double height = level.heights[square.j * level.columns + square.i];
  box = make_box({0.5 * (x_end - x), 0.5 * (y_end - y), 0.5 * (height - field.floor())});
  return {Matrix3::Identity(), {0.5 * (x + x_end), 0.5 * (y + y_end), 0.5 * (height + field.floor())}};
}

using SquareStack = FixedVector<Square, 64>;

void push_quarters(const HeightField& field, const Square& square, SquareStack& stack) {
  const HeightField::Level& finer = field.levels()[square.level - 1];
  for (const std::size_t j : {2 * square.j, 2 * square.j + 1}) {
    for (const std::size_t i : {2 * square.i, 2 * square.i + 1}) {
      if (i < finer.columns && j < finer.rows) stack.push_back({square.level - 1, i, j});
    }
  }
}

// A is the height field: the nearest of its columns, large squares first. The way out of a column is up.
Separation field_separation(const Couple& couple, const Placement& X_WA, double enough) {
  const HeightField& field = *couple.a.field;
  Separation best{.distance = kInfinity};
  double skipped = kInfinity;
  const double lowest_z = plane_separation(couple, X_WA).distance;
  SquareStack stack;
  stack.push_back({field.levels().size() - 1, 0, 0});
  while (!stack.empty()) {
    const Square square = stack.back();
    stack.pop_back();
    Solid box;
    const Placement X_AC = column_of(field, square, box);
    const Couple column{box, couple.b, {couple.X_AB.R, couple.X_AB.p - X_AC.p}};
    const double bound = std::min(best.distance, enough);
    Separation gap = convex_separation(column, X_WA * X_AC, bound);
    if (gap.distance < 0.0) {
      gap.distance = std::min(gap.distance, lowest_z - (X_AC.p.z() + box.half.z()));
    }
    if (gap.distance > bound) {
      skipped = std::min(skipped, gap.distance);
    } else if (square.level > 0) {
      push_quarters(field, square, stack);
    } else {
      best = gap;
    }
  }
  if (best.distance == kInfinity) best.distance = skipped;
  best.normal = Vector3::Zero();
  return best;
}

bool is_ground(const Solid& solid) {
  return solid.kind == SolidKind::Plane || solid.kind == SolidKind::HeightField;
}

bool is_convex(const Solid& solid) {
  return !is_ground(solid) && solid.kind != SolidKind::Surface;
}

Couple couple_of(const Solid& a, const Placement& X_WA, const Solid& b, const Placement& X_WB) {
  const Matrix3 R_AW = X_WA.R.transpose();
  return {a, b, {R_AW * X_WB.R, R_AW * (X_WB.p - X_WA.p)}};
}

/// Surfaces are left after this many triangles that something overlaps: the deepest of them will do.
constexpr int kMostOverlaps = 64;

/// A search among the triangles of a surface A for the one nearest to B, whatever that is. Boxes of A and the
/// box around B's core tell what need not be looked at.
struct SurfaceSearch {
  const TriangleTree& tree;
  const Placement& X_WA;
  const Solid& b;
  const Placement& X_WB;
  double enough;
  CoreBox box_b = core_box(b);
  Placement X_AB = couple_of(b, X_WA, b, X_WB).X_AB;
  Vector3 centre_b = X_AB * box_b.centre;  ///< In A.
  Matrix3 turn = X_AB.R.cwiseAbs();        ///< Brings half extents from B to A, rounded up.
  Vector3 half_b = turn * box_b.half;      ///< Of a box along A's axes.
  Separation best{.distance = kInfinity};
  double skipped = kInfinity;

  double bound() const { return std::min(best.distance, enough); }
  bool is_beyond(double lower) {
    if (lower <= bound()) return false;
    skipped = std::min(skipped, lower);
    return true;
  }
  // Of the boxes, across the faces of either.
  double lower_bound(const TriangleTree::Node& node) const {
    const Vector3 between = centre_b - node.centre;
    const Vector3 gap_a = between.cwiseAbs() - node.half - half_b;
    const Vector3 gap_b =
        (X_AB.R.transpose() * between).cwiseAbs() - box_b.half - turn.transpose() * node.half;
    return std::max(gap_a.cwiseMax(0.0).norm(), gap_b.maxCoeff()) - b.rounding;
  }
  // Across the triangle itself.
  double lower_bound(std::span<const Vector3> corners) const {
    const Vector3 across = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
    const double size = across.norm();
    if (size < 1e-14) return -kInfinity;
    const double extent = (X_AB.R.transpose() * across).cwiseAbs().dot(box_b.half);
    return (std::abs(across.dot(centre_b - corners[0])) - extent) / size - b.rounding;
  }
  // Returns whether they overlap.
  bool look_at_triangle(const TriangleTree::Node& node) {
    const std::span<const Vector3> corners = tree.corners(node);
    if (b.kind != SolidKind::Plane && is_beyond(lower_bound(corners))) return false;
    const Separation gap = separation(make_hull(corners), X_WA, b, X_WB, bound());
    if (!is_beyond(gap.distance)) best = gap;
    return gap.distance < 0.0;
  }
  // What the box around all of B does not tell, when B has many parts.
  double exact_bound(const TriangleTree::Node& node) const {
    return separation(make_box(node.half), {X_WA.R, X_WA * node.centre}, b, X_WB, bound()).distance;
  }

  Separation run() {
    FixedVector<std::uint32_t, 64> stack;
    int overlaps = 0;
    stack.push_back(0);
    while (!stack.empty() && overlaps < kMostOverlaps) {
      const std::uint32_t at = stack.back();
      const TriangleTree::Node& node = tree.nodes()[at];
      stack.pop_back();
      if (b.kind != SolidKind::Plane && is_beyond(lower_bound(node))) continue;
      if (!is_convex(b) && is_beyond(exact_bound(node))) continue;
      if (node.second_child == 0) {
        overlaps += look_at_triangle(node) ? 1 : 0;
        continue;
      }
      // the nearer one is looked at first
      const bool is_first_nearer =
          lower_bound(tree.nodes()[at + 1]) <= lower_bound(tree.nodes()[node.second_child]);
      stack.push_back(is_first_nearer ? node.second_child : at + 1);
      stack.push_back(is_first_nearer ? at + 1 : node.second_child);
    }
    if (best.distance == kInfinity) best.distance = skipped;
    best.normal = Vector3::Zero();
    return best;
  }
};

}  // namespace

Separation separation(const Solid& a, const Placement& X_WA, const Solid& b, const Placement& X_WB,
                      double enough, const SearchHints& hints) SINEW_REALTIME {
  if (a.kind == SolidKind::Surface)
    return SurfaceSearch{.tree = *a.surface, .X_WA = X_WA, .b = b, .X_WB = X_WB, .enough = enough}.run();
  if (is_ground(b) || b.kind == SolidKind::Surface) {
    if (is_ground(a) && is_ground(b)) return {.distance = kInfinity};
    Separation other = separation(b, X_WB, a, X_WA, enough);
    std::swap(other.point_a, other.point_b);
    other.normal = -other.normal;
    return other;
  }
  const Couple couple = couple_of(a, X_WA, b, X_WB);
  if (a.kind == SolidKind::Plane) return plane_separation(couple, X_WA);
  if (a.kind == SolidKind::HeightField) return field_separation(couple, X_WA, enough);
  if (a.kind == SolidKind::Sphere && b.kind == SolidKind::Sphere) return sphere_separation(couple, X_WA);
  return convex_separation(couple, X_WA, enough, hints);
}

double gap_across(const Vector3& n, const Solid& a, const Placement& X_WA, const Solid& b,
                  const Placement& X_WB) SINEW_REALTIME {
  if (!is_convex(a) || !is_convex(b)) return -kInfinity;
  const Vector3 n_a = X_WA.R.transpose() * n;
  const Vector3 n_b = -(X_WB.R.transpose() * n);
  const double between = n.dot(X_WB.p - X_WA.p);
  return between - n_a.dot(support(a, n_a)) - n_b.dot(support(b, n_b)) - a.rounding - b.rounding;
}

bool is_within(const Solid& a, const Placement& X_WA, const Solid& b, const Placement& X_WB,
               double bound) SINEW_REALTIME {
  if (!is_convex(a) || !is_convex(b)) return separation(a, X_WA, b, X_WB, bound).distance <= bound;
  return convex_within(couple_of(a, X_WA, b, X_WB), bound);
}

}  // namespace sinew
