// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sinew/base/realtime.h"
#include "sinew/trajectory/axis.h"

namespace sinew {

/// The first-order filter of MDS-Ach, θ ← (θ·(L−1) + θ_wanted)/L at a fixed rate, stated as a time constant
/// τ: θ follows τ·dθ/dt = θ_wanted − θ, solved exactly over each cycle, so the result does not depend on the
/// rate. After τ it has gone 63 % of the way, after 3·τ 95 %.
///
/// A first-order filter jumps in velocity when its target does. Where position and velocity must keep limits,
/// use step(): the output is clamped to [lower, upper] and moves at most velocity·dt in a cycle. It bounds
/// neither acceleration nor jerk: who must keep those too (all that goes to a motor) gives its output to a
/// JointSmoother as target.
class FirstOrderFilter {
 public:
  /// `time_constant` τ [s]; zero or less, and what is no number, follow at once.
  explicit FirstOrderFilter(double time_constant, double position = 0.0) SINEW_REALTIME;

  /// The τ [s] that does what filter length `length` (L, at least 1) does every `period` [s]: −period/ln(1 −
  /// 1/L).
  static double time_constant_of(double length, double period) SINEW_REALTIME;

  /// Begins anew at `position` [rad, m]. False, and nothing has changed, when that is no number.
  [[nodiscard]] bool reset(double position) SINEW_REALTIME;

  /// The position `dt` [s] later on the way to `wanted` [rad, m], within position and velocity of `limits`. A
  /// `wanted` or `dt` that is no usable number changes nothing.
  double step(double wanted, double dt, const AxisLimits& limits) SINEW_REALTIME;

  double position() const SINEW_REALTIME { return position_; }  ///< [rad, m]

 private:
  double time_constant_;
  double position_;
};

/// The compliant form of the same filter, which begins at the encoder instead of at its own last output:
/// θ ← θ_measured + k·(θ_wanted − θ_measured).
///
/// A position servo then pushes with k times its own stiffness, whatever the rate: k is a stiffness ratio,
/// and MDS-Ach's filter length L is k = 1/L. (As a time constant it would become a hundred times softer at 1
/// kHz than at 10 Hz.)
class CompliantFilter {
 public:
  /// `stiffness_ratio` k: 0 gives way to any push, 1 is the servo itself; what lies outside counts as the
  /// nearest, what is no number as 0.
  explicit CompliantFilter(double stiffness_ratio, double position = 0.0) SINEW_REALTIME;

  /// Begins anew: `position` [rad, m] is what the servo was told last. False, and nothing has changed, when
  /// that is no number.
  [[nodiscard]] bool reset(double position) SINEW_REALTIME;

  /// What to tell the servo. The joint may be pushed faster than it may be driven, so the output is clamped:
  /// within [lower, upper], and at most velocity·dt from the last output. Input that is no usable number
  /// changes nothing.
  double step(double measured, double wanted, double dt, const AxisLimits& limits) SINEW_REALTIME;

  double position() const SINEW_REALTIME { return position_; }  ///< [rad, m]

 private:
  double stiffness_ratio_;
  double position_;
};

}  // namespace sinew
