// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/trajectory/blend_timing.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sinew/trajectory/state_to_state.h"

namespace sinew {
namespace {

constexpr double kStraight = 1e-12;    // a second derivative that is none
constexpr double kJoined = 1e-9;       // the same where pieces meet, of 1 + the largest in the piece
constexpr double kRoom = 1.0 - 1e-9;   // of a limit, for rounding
constexpr double kReach = 1.0 - 1e-6;  // of a change of speed that just fits: a miss would have to turn round
constexpr int kMostSteps = 32;
constexpr double kShortest = 1e-12;  // [s] what is shorter is rounding

/// One piece of the path, and what it allows along it.
struct Stretch {
  double length = 0.0;
  bool is_line = false;
  AxisLimits along{.velocity = kLargestValue, .acceleration = kLargestValue, .jerk = kLargestValue};
};

bool is_line(const Coefficients& c) {
  return std::abs(c[2]) + std::abs(c[3]) + std::abs(c[4]) + std::abs(c[5]) <= kStraight;
}

// What a line allows; a blend has one speed, and is all in the velocity.
Stretch stretch_of(const JointPath& path, std::size_t piece, std::span<const AxisLimits> limits) {
  Stretch stretch{.length = path.piece_length(piece), .is_line = true};
  for (std::size_t j = 0; j < path.joint_count(); ++j)
    stretch.is_line = stretch.is_line && is_line(path.polynomial(piece, j));
  AxisLimits& along = stretch.along;
  for (std::size_t j = 0; j < path.joint_count(); ++j) {
    if (stretch.is_line) {
      const double slope = std::abs(path.polynomial(piece, j)[1]);
      if (slope < kStraight) continue;
      along.velocity = std::min(along.velocity, kRoom * limits[j].velocity / slope);
      along.acceleration = std::min(along.acceleration, kRoom * limits[j].acceleration / slope);
      along.jerk = std::min(along.jerk, kRoom * limits[j].jerk / slope);
      continue;
    }
    const PolynomialPeaks peaks = polynomial_peaks(path.polynomial(piece, j), stretch.length);
    const double needed =
        std::max({peaks.velocity / limits[j].velocity, std::sqrt(peaks.acceleration / limits[j].acceleration),
                  std::cbrt(peaks.jerk / limits[j].jerk)});
    if (needed > 0.0) along.velocity = std::min(along.velocity, kRoom / needed);
  }
  return stretch;
}

// Where a bend begins or ends, its second derivative must be zero: the acceleration is, on a line at one
// speed.
bool begins_and_ends_straight(const JointPath& path, std::size_t piece) {
  for (std::size_t j = 0; j < path.joint_count(); ++j) {
    const Coefficients& c = path.polynomial(piece, j);
    const double length = path.piece_length(piece);
    const double most =
        2.0 * std::abs(c[2]) +
        length * (6.0 * std::abs(c[3]) + length * (12.0 * std::abs(c[4]) + length * 20.0 * std::abs(c[5])));
    const double slack = kJoined * (1.0 + most);
    if (std::abs(2.0 * c[2]) > slack || std::abs(evaluate(c, length).second) > slack) return false;
  }
  return true;
}

// The highest speed that is reached from `speed` within `length`: a change by x takes 2·sqrt(x/jerk), or
// x/acceleration + acceleration/jerk, at the mean of both speeds.
double reachable(double speed, const Stretch& line) {
  const double a = line.along.acceleration;
  const double j = line.along.jerk;
  // the change by which the acceleration is just reached
  const double knee = a * a / j;
  double change = 0.0;
  if ((speed + knee / 2.0) * 2.0 * std::sqrt(knee / j) < line.length) {
    // (2·speed + x)·(x/a + a/j) = 2·length
    const double b = 2.0 * speed / a + a / j;
    const double c = 2.0 * speed * a / j - 2.0 * line.length;
    change = -2.0 * c / (b + std::sqrt(b * b - 4.0 * c / a));
  } else {
    // y³ + 2·speed·y = length·sqrt(jerk) with y² = x: convex, so Newton's steps come down to it
    const double right = line.length * std::sqrt(j);
    double y = std::cbrt(right);
    for (int i = 0; i < kMostSteps; ++i) {
      const double step = (y * (y * y + 2.0 * speed) - right) / (3.0 * y * y + 2.0 * speed);
      y -= step;
      if (std::abs(step) <= 1e-15 * y) break;
    }
    change = y * y;
  }
  return speed + kReach * change;
}

// The speeds at the knots.
std::vector<double> speeds_at_knots(std::span<const Stretch> stretches) {
  std::vector<double> speeds(stretches.size() + 1, kLargestValue);
  speeds.front() = speeds.back() = 0.0;
  const auto pass = [&](std::size_t from, std::size_t to, const Stretch& stretch) {
    const double most = stretch.is_line ? reachable(speeds[from], stretch) : speeds[from];
    speeds[to] = std::min({speeds[to], most, stretch.along.velocity});
  };
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    speeds[i] = std::min(speeds[i], stretches[i].along.velocity);
    pass(i, i + 1, stretches[i]);
  }
  for (std::size_t i = stretches.size(); i-- > 0;) pass(i + 1, i, stretches[i]);
  return speeds;
}

// Appends a straight piece from one speed to another; false where that is not possible without turning round.
bool append_line(const JointPath& path, std::size_t piece, const Stretch& line, double from, double to,
                 Trajectory& trajectory) {
  const AxisTransition transition({.velocity = from}, {.position = line.length, .velocity = to}, line.along);
  AxisProfile profile;
  if (transition.fault() != TransitionFault::None || !transition.plan_motion(transition.fastest(), profile))
    return false;
  const auto parts = profile.pieces();
  std::vector<Coefficients> polynomials(path.joint_count());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const ProfilePiece& part = parts[i];
    const double end = i + 1 < parts.size() ? parts[i + 1].start_time : profile.duration();
    if (!(end - part.start_time > kShortest)) continue;
    if (part.start.velocity < -kStraight) return false;
    for (std::size_t j = 0; j < polynomials.size(); ++j) {
      const Coefficients& c = path.polynomial(piece, j);
      polynomials[j] = {c[0] + c[1] * part.start.position, c[1] * part.start.velocity,
                        c[1] * part.start.acceleration / 2.0, c[1] * part.jerk / 6.0};
    }
    trajectory.append(end - part.start_time, polynomials);
  }
  return true;
}

void append_blend(const JointPath& path, std::size_t piece, double speed, Trajectory& trajectory) {
  std::vector<Coefficients> polynomials(path.joint_count());
  for (std::size_t j = 0; j < polynomials.size(); ++j) {
    polynomials[j] = path.polynomial(piece, j);
    double power = speed;
    for (std::size_t k = 1; k < polynomials[j].size(); ++k, power *= speed) polynomials[j][k] *= power;
  }
  trajectory.append(path.piece_length(piece) / speed, polynomials);
}

}  // namespace

std::optional<Trajectory> time_blends(const JointPath& path, std::span<const AxisLimits> limits) {
  const LimitSection all{.end = path.length(), .limits = limits};
  return time_blends(path, std::span(&all, 1));
}

std::optional<Trajectory> time_blends(const JointPath& path, std::span<const LimitSection> sections) {
  if (path.piece_count() == 0) return std::nullopt;
  for (const LimitSection& section : sections) {
    if (section.limits.size() != path.joint_count() ||
        !std::ranges::all_of(section.limits, [](const AxisLimits& each) { return is_usable(each); }))
      return std::nullopt;
  }
  std::vector<Stretch> stretches;
  stretches.reserve(path.piece_count());
  std::vector<AxisLimits> limits(path.joint_count());
  for (std::size_t i = 0; i < path.piece_count(); ++i) {
    // what rounding puts beyond an end is not in the next section
    const double slack = kJoined * path.length();
    least_limits(sections, path.knots()[i] + slack, path.knots()[i + 1] - slack, limits);
    stretches.push_back(stretch_of(path, i, limits));
    if (!stretches.back().is_line && !begins_and_ends_straight(path, i)) return std::nullopt;
  }
  if (!stretches.front().is_line || !stretches.back().is_line) return std::nullopt;
  const std::vector<double> speeds = speeds_at_knots(stretches);
  Trajectory trajectory(path.joint_count());
  trajectory.reserve(7 * path.piece_count());
  for (std::size_t i = 0; i < path.piece_count(); ++i) {
    if (!stretches[i].is_line) {
      append_blend(path, i, std::min(speeds[i], speeds[i + 1]), trajectory);
    } else if (!append_line(path, i, stretches[i], speeds[i], speeds[i + 1], trajectory)) {
      return std::nullopt;
    }
  }
  return trajectory;
}

}  // namespace sinew
