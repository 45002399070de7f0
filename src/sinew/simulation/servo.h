// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>

#include "sinew/model/robot_model.h"

namespace sinew {

/// How fast a servo corrects an error [rad/s]: 20 Hz, so that at a time step of 1 ms it is far from its own
/// limit of stability.
inline constexpr double kServoBandwidth = 125.0;

/// What a motor is taken to give that says nothing of itself [N·m, N].
inline constexpr double kUnknownEffort = 50.0;

/// A position servo with the velocity as its inner loop.
struct ServoGains {
  double stiffness = 0.0;  ///< [N·m/rad, N/m]
  double damping = 0.0;    ///< [N·m·s/rad, N·s/m]
};

/// Critically damped for a joint that has to move `inertia` [kg·m², kg], its motor's own included.
inline ServoGains servo_gains(double inertia) {
  return {.stiffness = inertia * kServoBandwidth * kServoBandwidth,
          .damping = 2.0 * inertia * kServoBandwidth};
}

/// What the motor and gear of a joint add to its inertia [kg·m², kg]: a motor that can give its effort can
/// bring itself to 2000 rad/s².
inline double motor_inertia(const Joint& joint) {
  constexpr double kOwnAcceleration = 2000.0;
  const double effort = joint.limits.effort;
  return (effort > 0.0 && std::isfinite(effort) ? effort : kUnknownEffort) / kOwnAcceleration;
}

}  // namespace sinew
