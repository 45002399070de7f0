// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>

#include "sinew/trajectory/axis_profile.h"

namespace sinew {

/// Random axes and what can be said about any profile, for the tests of this room.
class RandomMotion {
 public:
  explicit RandomMotion(std::uint64_t seed) : random_(seed) {}

  double uniform(double low, double high) { return std::uniform_real_distribution<>(low, high)(random_); }
  bool chance(double share) { return uniform(0.0, 1.0) < share; }
  std::uint64_t bits() { return random_(); }

  /// Even on a logarithmic scale.
  double scale(double low, double high) { return std::exp(uniform(std::log(low), std::log(high))); }

  /// Limits as joints have them.
  AxisLimits usual_limits() {
    return {.lower = uniform(-3.0, -0.5),
            .upper = uniform(0.5, 3.0),
            .velocity = scale(0.1, 10.0),
            .acceleration = scale(0.5, 100.0),
            .jerk = scale(5.0, 10000.0)};
  }

  /// Limits as nobody has them.
  AxisLimits wild_limits() {
    return {.velocity = scale(1e-6, 1e4), .acceleration = scale(1e-6, 1e4), .jerk = scale(1e-6, 1e4)};
  }

  /// Velocity and acceleration up to `share` of the limits; now and then exactly at them or none.
  AxisState state(const AxisLimits& limits, double share) {
    return {.position = uniform(-2.0, 2.0),
            .velocity = special(limits.velocity) * share,
            .acceleration = special(limits.acceleration) * share};
  }

  /// A state from which the velocity limit can be kept.
  AxisState state_inside(const AxisLimits& limits) {
    AxisState inside = state(limits, 1.0);
    const double room =
        limits.velocity - std::copysign(inside.velocity, inside.velocity * inside.acceleration);
    const double most = std::sqrt(2.0 * limits.jerk * room);
    inside.acceleration = std::clamp(inside.acceleration, -most, most) * (1.0 - 1e-12);
    return inside;
  }

 private:
  double special(double limit) {
    if (chance(0.1)) return limit;
    if (chance(0.1)) return -limit;
    if (chance(0.2)) return 0.0;
    return uniform(-limit, limit);
  }

  std::mt19937_64 random_;
};

/// What rounding may do to a profile: the largest magnitudes on its way, and those that follow from the
/// rounding of time.
inline AxisState rounding_scale(const AxisProfile& profile) {
  AxisState scale{.position = std::abs(profile.end_position())};
  double jerk = 0.0;
  for (const ProfilePiece& piece : profile.pieces()) {
    scale.position = std::max(scale.position, std::abs(piece.start.position));
    scale.velocity = std::max(scale.velocity, std::abs(piece.start.velocity));
    scale.acceleration = std::max(scale.acceleration, std::abs(piece.start.acceleration));
    jerk = std::max(jerk, std::abs(piece.jerk));
  }
  const double time = profile.duration();
  return {.position = scale.position + time * scale.velocity,
          .velocity = scale.velocity + time * scale.acceleration,
          .acceleration = scale.acceleration + time * jerk};
}

/// The state at the end of the last piece, before it is set to rest at the target.
inline AxisState end_of_pieces(const AxisProfile& profile) {
  if (profile.pieces().empty()) return {.position = profile.end_position()};
  const ProfilePiece& last = profile.pieces().back();
  return advance(last.start, last.jerk, profile.duration() - last.start_time);
}

}  // namespace sinew
