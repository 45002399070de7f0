// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/trajectory/joint_path.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace sinew {
namespace {

// of a distance between knots: so close before a knot that it is as good as there
constexpr double kJustBefore = 1e-6;

double distance_between(std::span<const double> one, std::span<const double> other) {
  double sum = 0.0;
  for (std::size_t j = 0; j < one.size(); ++j) sum += (other[j] - one[j]) * (other[j] - one[j]);
  return std::sqrt(sum);
}

bool are_coordinates(std::span<const double> s, std::size_t count) {
  if (s.size() != count || s[0] != 0.0 || !is_usable(s.back())) return false;
  for (std::size_t i = 1; i < count; ++i) {
    if (!(s[i] > s[i - 1])) return false;
  }
  return true;
}

// the points that differ from the one before, or all of them
Result<std::vector<std::size_t>> different_points(const Waypoints& points, bool is_all = false) {
  if (points.joint_count == 0 || points.joint_count > kMaxAxes ||
      points.positions.size() % points.joint_count != 0) {
    return Error{ErrorCode::InvalidInput,
                 fmt::format("{} positions are not whole points of {} joints, 1 to {}",
                             points.positions.size(), points.joint_count, kMaxAxes)};
  }
  std::vector<std::size_t> different;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < points.joint_count; ++j) {
      if (is_usable(points[i][j])) continue;
      return Error{ErrorCode::InvalidInput,
                   fmt::format("point {}, joint {}: {} is no position; give a number of at most {:g}", i + 1,
                               j + 1, points[i][j], kLargestValue)};
    }
    if (is_all || different.empty() || distance_between(points[different.back()], points[i]) > 0.0)
      different.push_back(i);
  }
  if (different.size() < 2) {
    return Error{ErrorCode::InvalidInput, fmt::format("a path needs two different points; {} of {} are",
                                                      different.size(), points.size())};
  }
  return different;
}

// slopes of the cubic spline with continuous second derivative: a tridiagonal system, solved by elimination
struct SplineEnd {
  bool is_clamped = false;
  double slope = 0.0;
};

std::vector<double> smooth_slopes(std::span<const double> h, std::span<const double> y,
                                  const SplineEnd& start, const SplineEnd& end) {
  const std::size_t n = y.size();
  std::vector<double> slope(n);
  std::vector<double> upper(n);
  const auto secant = [&](std::size_t i) { return (y[i + 1] - y[i]) / h[i]; };
  // each row: lower·m[i-1] + diagonal·m[i] + upper·m[i+1] = right
  upper[0] = start.is_clamped ? 0.0 : 0.5;
  slope[0] = start.is_clamped ? start.slope : 1.5 * secant(0);
  for (std::size_t i = 1; i < n; ++i) {
    const bool is_last = i + 1 == n;
    const double lower = is_last ? (end.is_clamped ? 0.0 : 0.5) : 1.0 / h[i - 1];
    const double diagonal = is_last ? 1.0 : 2.0 / h[i - 1] + 2.0 / h[i];
    const double right = is_last ? (end.is_clamped ? end.slope : 1.5 * secant(n - 2))
                                 : 3.0 * (secant(i - 1) / h[i - 1] + secant(i) / h[i]);
    const double pivot = diagonal - lower * upper[i - 1];
    upper[i] = is_last ? 0.0 : 1.0 / (h[i] * pivot);
    slope[i] = (right - lower * slope[i - 1]) / pivot;
  }
  for (std::size_t i = n - 1; i-- > 0;) slope[i] -= upper[i] * slope[i + 1];
  return slope;
}

// Fritsch and Butland's slopes: the weighted harmonic mean of the secants, zero where they differ in sign
std::vector<double> monotone_slopes(std::span<const double> h, std::span<const double> y) {
  const std::size_t n = y.size();
  std::vector<double> slope(n);
  const auto secant = [&](std::size_t i) { return (y[i + 1] - y[i]) / h[i]; };
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double before = secant(i - 1);
    const double after = secant(i);
    const double w1 = 2.0 * h[i] + h[i - 1];
    const double w2 = h[i] + 2.0 * h[i - 1];
    slope[i] = before * after > 0.0 ? (w1 + w2) / (w1 / before + w2 / after) : 0.0;
  }
  slope[0] = secant(0);
  slope[n - 1] = secant(n - 2);
  return slope;
}

Coefficients cubic_between(double y0, double y1, double m0, double m1, double h) {
  const double secant = (y1 - y0) / h;
  return {y0, m0, (3.0 * secant - 2.0 * m0 - m1) / h, (m0 + m1 - 2.0 * secant) / (h * h), 0.0, 0.0};
}

// the corners of a way of straight lines
struct Corners {
  std::vector<std::size_t> points;
  std::vector<double> lengths;                  // of the lines
  std::vector<std::vector<double>> directions;  // of the lines
  std::vector<double> radii;                    // of the points, the ends included
};

Result<Corners> corners_of(const Waypoints& points, const BlendOptions& options) {
  auto different = different_points(points);
  if (!different) return different.error();
  Corners corners{.points = std::move(*different)};
  const std::size_t count = corners.points.size();
  for (std::size_t i = 0; i + 1 < count; ++i) {
    const auto from = points[corners.points[i]];
    const auto to = points[corners.points[i + 1]];
    corners.lengths.push_back(distance_between(from, to));
    std::vector<double> direction(points.joint_count);
    for (std::size_t j = 0; j < direction.size(); ++j) direction[j] = (to[j] - from[j]) / corners.lengths[i];
    corners.directions.push_back(std::move(direction));
  }
  corners.radii.assign(count, 0.0);
  for (std::size_t i = 1; i + 1 < count; ++i) {
    const std::size_t number = corners.points[i] - 1;
    const double radius = options.radii.size() == 1       ? options.radii[0]
                          : number < options.radii.size() ? options.radii[number]
                                                          : 0.0;
    if (!(radius > 0.0) || !is_usable(radius)) {
      return Error{
          ErrorCode::InvalidInput,
          fmt::format(
              "point {} has no blend radius ({}): give it one, or stop there with a motion of its own",
              corners.points[i] + 1, radius)};
    }
    corners.radii[i] = radius;
  }
  // the rule for overlaps
  std::vector<double> factors(count, 1.0);
  for (std::size_t i = 0; i + 1 < count; ++i) {
    const double sum = corners.radii[i] + corners.radii[i + 1];
    if (sum <= corners.lengths[i]) continue;
    for (const std::size_t end : {i, i + 1}) factors[end] = std::min(factors[end], corners.lengths[i] / sum);
  }
  for (std::size_t i = 0; i < count; ++i) corners.radii[i] *= factors[i];
  return corners;
}

bool bends_suddenly(const JointPath& path, std::size_t knot) {
  for (std::size_t j = 0; j < path.joint_count(); ++j) {
    const double before = evaluate(path.polynomial(knot - 1, j), path.piece_length(knot - 1)).second;
    const double after = 2.0 * path.polynomial(knot, j)[2];
    if (std::abs(after - before) > 1e-9 * (1.0 + std::abs(before) + std::abs(after))) return true;
  }
  return false;
}

}  // namespace

std::vector<double> spline_coordinates(const Waypoints& points, bool is_uniform) {
  std::vector<double> s(points.size(), 0.0);
  for (std::size_t i = 1; i < points.size(); ++i) {
    const double distance = distance_between(points[i - 1], points[i]);
    s[i] = s[i - 1] + (is_uniform ? (distance > 0.0 ? 1.0 : 0.0) : distance);
  }
  return s;
}

Result<JointPath> spline_path(const Waypoints& points, const SplineOptions& options) {
  const auto different = different_points(points, !options.coordinates.empty());
  if (!different) return different.error();
  const std::size_t count = different->size();
  if (!options.coordinates.empty() && !are_coordinates(options.coordinates, count)) {
    return Error{
        ErrorCode::InvalidInput,
        fmt::format("the coordinates of {} points must be as many numbers, rising from zero", count)};
  }
  std::vector<double> h;
  for (std::size_t i = 0; i + 1 < count; ++i) {
    if (!options.coordinates.empty()) {
      h.push_back(options.coordinates[i + 1] - options.coordinates[i]);
      continue;
    }
    h.push_back(options.is_uniform ? 1.0
                                   : distance_between(points[(*different)[i]], points[(*different)[i + 1]]));
  }
  const auto end = [&](std::span<const double> slopes, std::size_t j) -> SplineEnd {
    return {.is_clamped = options.kind == SplineKind::Clamped, .slope = j < slopes.size() ? slopes[j] : 0.0};
  };
  std::vector<Coefficients> pieces((count - 1) * points.joint_count);
  std::vector<double> y(count);
  for (std::size_t j = 0; j < points.joint_count; ++j) {
    for (std::size_t i = 0; i < count; ++i) y[i] = points[(*different)[i]][j];
    const std::vector<double> slope =
        options.kind == SplineKind::Monotone
            ? monotone_slopes(h, y)
            : smooth_slopes(h, y, end(options.start_slope, j), end(options.end_slope, j));
    for (std::size_t i = 0; i + 1 < count; ++i) {
      pieces[i * points.joint_count + j] = cubic_between(y[i], y[i + 1], slope[i], slope[i + 1], h[i]);
    }
  }
  JointPath path(points.joint_count);
  path.reserve(count - 1);
  for (std::size_t i = 0; i + 1 < count; ++i) {
    path.append(h[i], std::span(pieces).subspan(i * points.joint_count, points.joint_count));
  }
  return path;
}

Result<std::vector<double>> blend_radii(const Waypoints& points, const BlendOptions& options) {
  const auto corners = corners_of(points, options);
  if (!corners) return corners.error();
  return std::vector<double>(corners->radii.begin() + 1, corners->radii.end() - 1);
}

Result<JointPath> blended_path(const Waypoints& points, const BlendOptions& options) {
  const auto corners = corners_of(points, options);
  if (!corners) return corners.error();
  const std::size_t joints = points.joint_count;
  JointPath path(joints);
  std::vector<Coefficients> piece(joints);
  for (std::size_t i = 0; i + 1 < corners->points.size(); ++i) {
    const auto from = points[corners->points[i]];
    const auto to = points[corners->points[i + 1]];
    const std::vector<double>& direction = corners->directions[i];
    const double straight = corners->lengths[i] - corners->radii[i] - corners->radii[i + 1];
    for (std::size_t j = 0; j < joints; ++j) {
      piece[j] = {from[j] + corners->radii[i] * direction[j], direction[j], 0.0, 0.0, 0.0, 0.0};
    }
    // what is shorter than rounding is left out
    if (straight > 1e-12 * corners->lengths[i]) path.append(straight, piece);
    const double r = corners->radii[i + 1];
    if (r == 0.0) continue;
    for (std::size_t j = 0; j < joints; ++j) {
      const double before = direction[j];
      const double after = corners->directions[i + 1][j];
      piece[j] = options.kind == BlendKind::Parabolic
                     ? Coefficients{to[j] - r * before, before, (after - before) / (4.0 * r), 0.0, 0.0, 0.0}
                     : quintic_between({.value = to[j] - r * before, .first = before},
                                       {.value = to[j] + r * after, .first = after}, 2.0 * r);
    }
    path.append(2.0 * r, piece);
  }
  return path;
}

std::size_t section_at(std::span<const LimitSection> sections, double s) {
  const auto found = std::ranges::lower_bound(sections, s, {}, &LimitSection::end);
  return std::min(static_cast<std::size_t>(found - sections.begin()), sections.size() - 1);
}

void least_limits(std::span<const LimitSection> sections, double begin, double end,
                  std::span<AxisLimits> limits) {
  const std::size_t first = section_at(sections, begin);
  const std::size_t last = section_at(sections, end);
  std::ranges::copy(sections[first].limits, limits.begin());
  for (std::size_t i = first + 1; i <= last; ++i) {
    for (std::size_t j = 0; j < limits.size(); ++j) {
      const AxisLimits& other = sections[i].limits[j];
      limits[j].velocity = std::min(limits[j].velocity, other.velocity);
      limits[j].acceleration = std::min(limits[j].acceleration, other.acceleration);
      limits[j].jerk = std::min(limits[j].jerk, other.jerk);
    }
  }
}

std::vector<double> path_grid(const JointPath& path, std::size_t count) {
  std::vector<double> s;
  const double spacing = path.length() / static_cast<double>(std::max<std::size_t>(count, 2) - 1);
  for (std::size_t i = 0; i < path.piece_count(); ++i) {
    const double length = path.piece_length(i);
    const double begin = path.knots()[i];
    const auto steps = static_cast<std::size_t>(std::max(1.0, std::round(length / spacing)));
    for (std::size_t k = 0; k < steps; ++k) {
      s.push_back(begin + length * static_cast<double>(k) / static_cast<double>(steps));
    }
    if (i + 1 < path.piece_count() && bends_suddenly(path, i + 1)) {
      s.push_back(path.knots()[i + 1] - kJustBefore * length / static_cast<double>(steps));
    }
  }
  if (path.piece_count() > 0) s.push_back(path.length());
  return s;
}

}  // namespace sinew
