// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/trajectory/point_to_point.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <fmt/format.h>

#include "sinew/trajectory/trajectory_check.h"

namespace sinew {
namespace {

constexpr std::size_t kGridPoints = 200;
constexpr int kMostGrowths = 200;
constexpr double kGrowth = 1.1;
constexpr int kHalvings = 34;

Status check_sizes(std::size_t from, std::size_t to, std::size_t limits) {
  if (from == to && from == limits && from >= 1 && from <= kMaxAxes) return Done{};
  return Error{
      ErrorCode::InvalidInput,
      fmt::format("a motion from {} joints to {} with {} limits: give the same number of each, 1 to {}", from,
                  to, limits, kMaxAxes)};
}

// a trajectory that was made without the jerk limit
Result<Trajectory> accepted_but_for_jerk(Trajectory trajectory, std::span<const AxisLimits> limits,
                                         std::span<const std::string> names) {
  std::vector<AxisLimits> any_jerk(limits.begin(), limits.end());
  for (AxisLimits& each : any_jerk) each.jerk = kLargestValue;
  const Status status =
      trajectory_status(check_trajectory(trajectory, any_jerk, {.allow_acceleration_jumps = true}), names);
  if (!status) return status.error();
  return trajectory;
}

// the highest even speed along a path, and the highest acceleration with half of what the bends leave
struct EvenLimits {
  double speed = kLargestValue;
  double acceleration = kLargestValue;
};

EvenLimits even_limits(const JointPath& path, std::span<const AxisLimits> limits, std::span<const double> s) {
  EvenLimits even;
  std::vector<CurvePoint> points(path.joint_count());
  for (const double at : s) {
    path.sample(at, std::span<CurvePoint>(points));
    for (std::size_t j = 0; j < points.size(); ++j) {
      const double slope = std::abs(points[j].first);
      const double bend = std::abs(points[j].second);
      if (slope > 0.0) even.speed = std::min(even.speed, limits[j].velocity / slope);
      if (slope > 0.0)
        even.acceleration = std::min(even.acceleration, limits[j].acceleration / (2.0 * slope));
      if (bend > 0.0) even.speed = std::min(even.speed, std::sqrt(limits[j].acceleration / (2.0 * bend)));
    }
  }
  return even;
}

Trajectory resting(std::span<const double> positions) {
  std::vector<Coefficients> piece(positions.size());
  for (std::size_t j = 0; j < positions.size(); ++j) piece[j] = {positions[j], 0.0, 0.0, 0.0, 0.0, 0.0};
  Trajectory trajectory(positions.size());
  trajectory.append(1e-9, piece);
  return trajectory;
}

// all joints in `duration`, and whether they keep their limits
struct QuinticTrial {
  std::vector<Coefficients> piece;
  SegmentCheck check;
  std::size_t joint = 0;
};

QuinticTrial try_quintic(std::span<const AxisState> from, std::span<const AxisState> to,
                         std::span<const AxisLimits> limits, double duration) {
  QuinticTrial trial{.piece = std::vector<Coefficients>(from.size())};
  const auto point = [](const AxisState& s) -> CurvePoint {
    return {.value = s.position, .first = s.velocity, .second = s.acceleration};
  };
  for (std::size_t j = 0; j < from.size(); ++j) {
    trial.piece[j] = quintic_between(point(from[j]), point(to[j]), duration);
    if (trial.check.fault != SegmentFault::None) continue;
    trial.check = check_polynomial(trial.piece[j], duration, limits[j]);
    trial.joint = j;
  }
  return trial;
}

// what the distance alone demands from rest to rest, and a lower guess for other states
double rest_to_rest_duration(std::span<const AxisState> from, std::span<const AxisState> to,
                             std::span<const AxisLimits> limits) {
  double duration = 0.0;
  for (std::size_t j = 0; j < from.size(); ++j) {
    const double distance = std::abs(to[j].position - from[j].position);
    duration = std::max({duration, 15.0 / 8.0 * distance / limits[j].velocity,
                         std::sqrt(10.0 / std::numbers::sqrt3 * distance / limits[j].acceleration),
                         std::cbrt(60.0 * distance / limits[j].jerk)});
  }
  return duration;
}

// the same for what velocities and accelerations must change, whatever the distance
double least_duration(std::span<const AxisState> from, std::span<const AxisState> to,
                      std::span<const AxisLimits> limits) {
  double duration = 1e-6;
  for (std::size_t j = 0; j < from.size(); ++j) {
    const AxisLimits& l = limits[j];
    duration = std::max({duration, std::abs(to[j].position - from[j].position) / l.velocity,
                         std::abs(to[j].velocity - from[j].velocity) / l.acceleration,
                         std::abs(to[j].acceleration - from[j].acceleration) / l.jerk});
  }
  return duration;
}

bool is_rest(const AxisState& state) {
  return state.velocity == 0.0 && state.acceleration == 0.0;
}

Error refusal_of(const QuinticTrial& trial, double duration, std::span<const std::string> names) {
  const std::string joint =
      trial.joint < names.size() ? names[trial.joint] : fmt::format("{}", trial.joint + 1);
  Status status = segment_status(trial.check, joint);
  return Error{status.error().code, fmt::format("in {:.6g} s: {}", duration, status.error().message)};
}

// the shortest duration for any states, or the longest that was tried
double search_duration(std::span<const AxisState> from, std::span<const AxisState> to,
                       std::span<const AxisLimits> limits) {
  const auto is_good = [&](double duration) {
    return try_quintic(from, to, limits, duration).check.fault == SegmentFault::None;
  };
  double high = least_duration(from, to, limits);
  double low = 0.0;
  for (int i = 0; i < kMostGrowths && !is_good(high); ++i) {
    low = high;
    high *= kGrowth;
  }
  for (int i = 0; i < kHalvings && low > 0.0; ++i) {
    const double middle = low + (high - low) / 2.0;
    (is_good(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace

Result<Trajectory> lspb_motion(std::span<const double> from, std::span<const double> to,
                               std::span<const AxisLimits> limits, const LspbOptions& options) {
  if (const Status sizes = check_sizes(from.size(), to.size(), limits.size()); !sizes) return sizes.error();
  std::vector<double> points(from.begin(), from.end());
  points.insert(points.end(), to.begin(), to.end());
  if (std::equal(from.begin(), from.end(), to.begin())) {
    return accepted_but_for_jerk(resting(from), limits, options.names);
  }
  const auto path = spline_path({.joint_count = from.size(), .positions = points}, {.is_uniform = true});
  if (!path) return path.error();
  double speed = kLargestValue;
  double acceleration = kLargestValue;
  for (std::size_t j = 0; j < from.size(); ++j) {
    const double distance = std::abs(to[j] - from[j]);
    if (distance == 0.0) continue;
    speed = std::min(speed, limits[j].velocity / distance);
    acceleration = std::min(acceleration, limits[j].acceleration / distance);
  }
  const auto law =
      options.shape ? LspbLaw::make(1.0, *options.shape) : LspbLaw::fastest(1.0, speed, acceleration);
  if (!law) return law.error();
  return accepted_but_for_jerk(follow_path(*path, law->moments({})), limits, options.names);
}

Result<Trajectory> lspb_along(const JointPath& path, std::span<const AxisLimits> limits,
                              const LspbOptions& options) {
  if (const Status sizes = check_sizes(path.joint_count(), path.joint_count(), limits.size()); !sizes) {
    return sizes.error();
  }
  if (path.piece_count() == 0)
    return Error{ErrorCode::InvalidInput, "the path has no length; give it two points"};
  const std::vector<double> s = path_grid(path, std::max(kGridPoints, 4 * path.piece_count()));
  const EvenLimits even = even_limits(path, limits, s);
  const auto law = options.shape ? LspbLaw::make(path.length(), *options.shape)
                                 : LspbLaw::fastest(path.length(), even.speed, even.acceleration);
  if (!law) return law.error();
  Trajectory trajectory = follow_path(path, law->moments(s));
  if (!options.shape) {
    std::vector<AxisLimits> any_jerk(limits.begin(), limits.end());
    for (AxisLimits& each : any_jerk) each.jerk = kLargestValue;
    trajectory.stretch(needed_stretch(trajectory, any_jerk));
  }
  return accepted_but_for_jerk(std::move(trajectory), limits, options.names);
}

Result<Trajectory> quintic_motion(std::span<const AxisState> from, std::span<const AxisState> to,
                                  std::span<const AxisLimits> limits, const QuinticOptions& options) {
  if (const Status sizes = check_sizes(from.size(), to.size(), limits.size()); !sizes) return sizes.error();
  for (std::size_t j = 0; j < from.size(); ++j) {
    if (is_usable(from[j]) && is_usable(to[j]) && is_usable(limits[j])) continue;
    return Error{
        ErrorCode::InvalidInput,
        fmt::format("joint {}: states and limits must be numbers of at most {:g}", j + 1, kLargestValue)};
  }
  double duration = options.duration;
  if (!(duration > 0.0)) {
    const bool is_from_rest = std::all_of(from.begin(), from.end(), is_rest);
    const bool is_to_rest = std::all_of(to.begin(), to.end(), is_rest);
    duration = is_from_rest && is_to_rest ? std::max(1e-9, rest_to_rest_duration(from, to, limits))
                                          : search_duration(from, to, limits);
  }
  const QuinticTrial trial = try_quintic(from, to, limits, duration);
  if (trial.check.fault != SegmentFault::None) return refusal_of(trial, duration, options.names);
  Trajectory trajectory(from.size());
  trajectory.append(duration, trial.piece);
  return trajectory;
}

}  // namespace sinew
