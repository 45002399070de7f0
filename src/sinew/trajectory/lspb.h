// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/trajectory/path_timing.h"

namespace sinew {

/// A straight line with parabolic blends (LSPB): even acceleration, even speed, even deceleration, from rest
/// to rest. A value.
class LspbLaw {
 public:
  /// How a length is to be covered.
  struct Shape {
    double duration = 0.0;     ///< [s], positive.
    double blend = 1.0 / 3.0;  ///< The share of the duration that each blend takes: above 0, at most 1/2.
  };

  /// Over `length`, which must not be negative, by duration and blend. Refuses shapes that are none.
  static Result<LspbLaw> make(double length, const Shape& shape);

  /// The fastest over `length` with no more than `speed` and `acceleration`, all positive.
  static Result<LspbLaw> fastest(double length, double speed, double acceleration);

  double length() const SINEW_REALTIME { return length_; }
  double duration() const SINEW_REALTIME { return duration_; }
  double blend_time() const SINEW_REALTIME { return blend_time_; }
  double speed() const SINEW_REALTIME { return speed_; }
  double acceleration() const SINEW_REALTIME { return acceleration_; }

  /// Where it is `time` [s] after the begin; accelerations of both sides where they differ.
  PathMoment at(double time) const SINEW_REALTIME;

  /// When it is at `s`.
  double time_at(double s) const SINEW_REALTIME;

  /// The moments at which it passes `s`, rising, and those at which its acceleration changes. Allocates.
  std::vector<PathMoment> moments(std::span<const double> s) const;

 private:
  LspbLaw() = default;

  double length_ = 0.0;
  double duration_ = 0.0;
  double blend_time_ = 0.0;
  double speed_ = 0.0;
  double acceleration_ = 0.0;
};

}  // namespace sinew
