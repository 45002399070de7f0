// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/trajectory/limit_brake.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double kBrakeAllowance = 1e-9;  // of a limit, for states that come from sums

void add_step(double jerk, double time, LimitBrake& brake) noexcept {
  if (!(time > 0.0)) return;
  brake.steps.push_back({.jerk = jerk, .time = time});
  brake.duration += time;
  brake.end = advance(brake.end, jerk, time);
}

// Which velocity limit has to be left: 1 the upper one, -1 the lower one, 0 none. Where the axis is on its
// way out of one, that one counts.
double side_left(const AxisState& state, const AxisLimits& limits) noexcept {
  const double most = limits.velocity * (1.0 + kBrakeAllowance);
  const double soon =
      state.velocity + state.acceleration * std::abs(state.acceleration) / (2.0 * limits.jerk);
  if (std::abs(soon) > most && soon * state.acceleration > 0.0) return std::copysign(1.0, soon);
  return std::abs(state.velocity) > most ? std::copysign(1.0, state.velocity) : 0.0;
}

// Down to the limit of a velocity that is, or will be, above it; where `side` is -1 the axis is mirrored.
void brake_velocity(double side, const AxisLimits& limits, LimitBrake& brake) noexcept {
  const double jerk = limits.jerk;
  const double a = side * brake.end.acceleration;
  // the velocity is to fall so far from where the acceleration is, or was, zero
  const double drop = std::max(0.0, side * brake.end.velocity + a * a / (2.0 * jerk) - limits.velocity);
  // with more deceleration than this at the limit, the lower one would be passed
  const double most_there = std::min(limits.acceleration, 2.0 * std::sqrt(jerk * limits.velocity));
  const double falling = std::sqrt(2.0 * jerk * drop);
  double there = falling;
  if (falling <= most_there) {
    add_step(-side * jerk, (a + falling) / jerk, brake);
  } else {
    there = most_there;
    const double lowest =
        std::min(limits.acceleration, std::sqrt(jerk * drop + most_there * most_there / 2.0));
    const double turned = (2.0 * lowest * lowest - most_there * most_there) / (2.0 * jerk);
    add_step(-side * jerk, (a + lowest) / jerk, brake);
    if (lowest == limits.acceleration) {
      brake.end.acceleration = -side * lowest;
      add_step(0.0, (drop - turned) / lowest, brake);
    }
    add_step(side * jerk, (lowest - there) / jerk, brake);
  }
  brake.end.velocity = side * limits.velocity;
  brake.end.acceleration = -side * there;
}

}  // namespace

LimitBrake brake_into_limits(const AxisState& from, const AxisLimits& limits) noexcept {
  LimitBrake brake{.end = from};
  const double beyond = std::abs(from.acceleration) - limits.acceleration;
  if (beyond > kBrakeAllowance * limits.acceleration) {
    const double sign = std::copysign(1.0, from.acceleration);
    add_step(-sign * limits.jerk, beyond / limits.jerk, brake);
    brake.end.acceleration = sign * limits.acceleration;
  }
  const double side = side_left(brake.end, limits);
  if (side != 0.0) brake_velocity(side, limits, brake);
  return brake;
}

}  // namespace sinew
