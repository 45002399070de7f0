// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/trajectory/joint_curve.h"

namespace sinew {

/// Points in joint space, one after the other.
struct Waypoints {
  std::size_t joint_count = 0;
  std::span<const double> positions;  ///< [point][joint], [rad, m]

  std::size_t size() const { return joint_count == 0 ? 0 : positions.size() / joint_count; }
  std::span<const double> operator[](std::size_t point) const {
    return positions.subspan(point * joint_count, joint_count);
  }
};

enum class SplineKind {
  Natural,   ///< Second derivative continuous, and zero at the ends.
  Clamped,   ///< Second derivative continuous, first derivatives at the ends as told.
  Monotone,  ///< No joint passes beyond the points on either side of it; the second derivative jumps at
             ///< points.
};

struct SplineOptions {
  SplineKind kind = SplineKind::Natural;
  /// The path's coordinate: the number of the point, or the length of the straight lines between points.
  bool is_uniform = false;
  /// The same by hand: one for each point, rising from zero; points may then be equal. None: as above.
  std::span<const double> coordinates = {};
  /// For Clamped: one for each joint, by the path's coordinate; none means zero.
  std::span<const double> start_slope = {};
  std::span<const double> end_slope = {};
};

/// The cubic spline through `points`. A point equal to the one before is left out. Refuses fewer than two
/// different points, and what is no number.
Result<JointPath> spline_path(const Waypoints& points, const SplineOptions& options = {});

/// The coordinate that the spline gives each of `points`; as many as there are, equal for equal neighbours.
std::vector<double> spline_coordinates(const Waypoints& points, bool is_uniform = false);

enum class BlendKind {
  Parabolic,  ///< The second derivative is constant in the blend, and jumps at its ends.
  Quintic,    ///< The second derivative is continuous.
};

struct BlendOptions {
  BlendKind kind = BlendKind::Quintic;
  /// How far before and after each point the blend begins and ends: one for all inner points, or one for
  /// each.
  std::span<const double> radii = {};
};

/// Straight lines between `points`, with blends about the inner ones; the path's coordinate is close to its
/// length.
///
/// Where blends overlap, the rule is: if the radii at the two ends of a line exceed its length together, both
/// are multiplied by length / (their sum); of the two factors of a point the smaller counts. So no blend
/// takes more of a line than its share, and the order of points does not matter. The corner is passed at a
/// distance of r·k/4 (parabolic) or r·3k/16 (quintic), with k the length of the difference of the unit
/// vectors of the lines.
///
/// A point equal to the one before is left out. Refuses a corner without a radius: to stop there is a motion
/// of its own.
Result<JointPath> blended_path(const Waypoints& points, const BlendOptions& options);

/// The radii that blended_path() takes after applying its rule, one for each inner point.
Result<std::vector<double>> blend_radii(const Waypoints& points, const BlendOptions& options);

/// A part of a path with limits of its own: from the end of the one before it, or from the begin, to `end`.
struct LimitSection {
  double end = 0.0;                    ///< The path's coordinate; beyond the last one, its limits hold on.
  std::span<const AxisLimits> limits;  ///< One for each joint.
};

/// Which of `sections`, at least one, `s` is in; at an end the earlier one.
std::size_t section_at(std::span<const LimitSection> sections, double s);

/// What holds from `begin` to `end` of the path: of the limits of all sections there the least of each, into
/// `limits`, one for each joint. Positions are those of the first.
void least_limits(std::span<const LimitSection> sections, double begin, double end,
                  std::span<AxisLimits> limits);

/// Where to look at a path: its knots and evenly between them, about `count` points in all, and closely
/// before each knot at which the second derivative jumps.
std::vector<double> path_grid(const JointPath& path, std::size_t count);

}  // namespace sinew
