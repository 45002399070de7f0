// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>

#include "sinew/base/realtime.h"

namespace sinew {

/// The most axes that one generator moves.
inline constexpr std::size_t kMaxAxes = 64;

/// Where one axis is and how it moves. Revolute joints in rad, prismatic joints in m.
struct AxisState {
  double position = 0.0;      ///< [rad, m]
  double velocity = 0.0;      ///< [rad/s, m/s]
  double acceleration = 0.0;  ///< [rad/s², m/s²]

  friend bool operator==(const AxisState&, const AxisState&) = default;
};

/// What one axis may do. Positions may be unlimited, the others must be finite.
struct AxisLimits {
  double lower = -std::numeric_limits<double>::infinity();  ///< [rad, m]
  double upper = std::numeric_limits<double>::infinity();   ///< [rad, m]
  double velocity = 1.0;                                    ///< [rad/s, m/s]
  double acceleration = 10.0;                               ///< [rad/s², m/s²]
  double jerk = 100.0;                                      ///< [rad/s³, m/s³]
};

/// Values beyond these are refused: within them no sum of this room overflows.
inline constexpr double kLargestValue = 1e9;
inline constexpr double kSmallestLimit = 1e-9;

/// Whether `value` is a number that the room computes with. False for NaN.
inline bool is_usable(double value) SINEW_REALTIME {
  return std::abs(value) <= kLargestValue;
}

/// Whether all of `state` is usable. False for NaN and infinities.
inline bool is_usable(const AxisState& state) SINEW_REALTIME {
  return is_usable(state.position) && is_usable(state.velocity) && is_usable(state.acceleration);
}

/// Whether `limits` bound a motion: lower <= upper, neither NaN, and velocity, acceleration and jerk between
/// kSmallestLimit and kLargestValue.
inline bool is_usable(const AxisLimits& limits) SINEW_REALTIME {
  const auto bounds = [](double limit) { return limit >= kSmallestLimit && limit <= kLargestValue; };
  return limits.lower <= limits.upper && limits.lower <= kLargestValue && limits.upper >= -kLargestValue &&
         bounds(limits.velocity) && bounds(limits.acceleration) && bounds(limits.jerk);
}

/// The state `time` [s] after `start` under constant `jerk`.
inline AxisState advance(const AxisState& start, double jerk, double time) SINEW_REALTIME {
  return {
      .position =
          start.position + time * (start.velocity + time * (start.acceleration / 2.0 + time * (jerk / 6.0))),
      .velocity = start.velocity + time * (start.acceleration + time * (jerk / 2.0)),
      .acceleration = start.acceleration + time * jerk,
  };
}

}  // namespace sinew
