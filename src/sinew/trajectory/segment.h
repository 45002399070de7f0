// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "sinew/base/result.h"
#include "sinew/trajectory/axis.h"

namespace sinew {

/// When a segment takes place, in robot time.
struct SegmentTime {
  std::int64_t start_ns = 0;
  std::int64_t duration_ns = 0;  ///< Positive.
};

/// A timed polynomial for one joint: p(t) = Σ coefficient[k]·t^k with t in seconds since the start. A cubic
/// leaves the last two zero.
struct PolynomialSegment {
  static constexpr std::size_t kCoefficients = 6;

  SegmentTime time;
  std::array<double, kCoefficients> coefficient{};  ///< [rad/s^k, m/s^k]

  friend bool operator==(const PolynomialSegment& a, const PolynomialSegment& b) {
    return a.time.start_ns == b.time.start_ns && a.time.duration_ns == b.time.duration_ns &&
           a.coefficient == b.coefficient;
  }
};

/// The cubic that leads from position and velocity of `from` to those of `to`. Accelerations are what comes
/// of it.
PolynomialSegment cubic_segment(const SegmentTime& time, const AxisState& from,
                                const AxisState& to) SINEW_REALTIME;

/// The quintic that leads from `from` to `to`, accelerations included.
PolynomialSegment quintic_segment(const SegmentTime& time, const AxisState& from,
                                  const AxisState& to) SINEW_REALTIME;

/// Whether `now_ns` is within the segment, its end included.
bool contains(const PolynomialSegment& segment, std::int64_t now_ns) SINEW_REALTIME;

/// The state at `now_ns`; before the start that of the start, after the end that of the end, velocity and
/// acceleration included.
AxisState evaluate(const PolynomialSegment& segment, std::int64_t now_ns) SINEW_REALTIME;

/// What is wrong with a segment.
enum class SegmentFault : std::uint8_t {
  None,
  NotUsable,     ///< A coefficient is no number or too large, or limits bound nothing.
  NoDuration,    ///< The duration is not positive, or longer than a day.
  Position,      ///< Beyond lower or upper.
  Velocity,      ///< Too fast.
  Acceleration,  ///< Too much of it.
  Jerk,          ///< Too much of it.
};

/// The verdict on a segment: the first fault in the order of SegmentFault, with the worst value of that kind.
struct SegmentCheck {
  SegmentFault fault = SegmentFault::None;
  double value = 0.0;  ///< The worst: [rad, m] and derivatives; as it stands, not its magnitude.
  double bound = 0.0;  ///< The limit that it passes.
  double time = 0.0;   ///< When, since the start of the segment [s].
};

/// By how much, as a share of the bound (of 1 rad or 1 m for positions near zero), a segment may pass a
/// bound: room for rounding in segments that use the limits in full.
inline constexpr double kSegmentTolerance = 1e-9;

/// Checks all of `segment`, every instant of it, against `limits`: by the extrema of position, velocity,
/// acceleration and jerk, not by samples. Does not allocate.
SegmentCheck check_segment(const PolynomialSegment& segment, const AxisLimits& limits) SINEW_REALTIME;

/// The same for a polynomial that is not on the clock: the first `duration` [s] of Σ coefficient[k]·t^k.
SegmentCheck check_polynomial(const std::array<double, PolynomialSegment::kCoefficients>& coefficient,
                              double duration, const AxisLimits& limits) SINEW_REALTIME;

/// The largest magnitudes of velocity, acceleration and jerk of such a polynomial, at any instant.
struct PolynomialPeaks {
  double velocity = 0.0;      ///< [rad/s, m/s]
  double acceleration = 0.0;  ///< [rad/s², m/s²]
  double jerk = 0.0;          ///< [rad/s³, m/s³]
};
PolynomialPeaks polynomial_peaks(const std::array<double, PolynomialSegment::kCoefficients>& coefficient,
                                 double duration) SINEW_REALTIME;

/// Bounds of the same, at a fraction of the cost: never below the peaks but for rounding, and close to them
/// for smooth polynomials.
PolynomialPeaks peak_bounds(const std::array<double, PolynomialSegment::kCoefficients>& coefficient,
                            double duration) SINEW_REALTIME;

/// The verdict in words, for the joint named `joint`. Not for the control cycle.
Status segment_status(const SegmentCheck& check, std::string_view joint);

}  // namespace sinew
