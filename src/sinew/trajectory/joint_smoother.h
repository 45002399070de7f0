// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "sinew/base/result.h"
#include "sinew/trajectory/axis_profile.h"

namespace sinew {

struct SmootherOptions {
  bool arrive_together = false;  ///< All axes take as long as the slowest, whenever one gets a new target.
};

/// What became of the targets of one cycle. Bit i speaks of axis i.
struct SmootherReport {
  std::uint64_t refused_mask = 0;  ///< No number, or beyond kLargestValue: the axis keeps its last target.
  std::uint64_t clamped_mask = 0;  ///< Beyond a position limit: the axis goes to the limit.
  std::uint64_t moving_mask = 0;   ///< Not at rest at its target yet.
};

/// Moves up to 64 axes to targets that may change in every cycle, as fast as the limits of each axis allow.
///
/// Each axis follows a profile of constant-jerk pieces (jerk_limited.h), sampled and never integrated; a new
/// target begins a new profile at the very state that was given out last. So the motion through all cycles is
/// one function of time with continuous acceleration whose third derivative never exceeds the jerk limit.
/// What is measured from positions given out every dt keeps the limits as well: a first, second or third
/// difference divided by dt, dt² or dt³ is an average (a B-spline is its weight: nowhere negative, with
/// integral 1) of velocity, acceleration or jerk over the one, two or three cycles that it spans, and an
/// average exceeds no bound of what it averages. Rounding of positions p adds at most 8·ε·|p|/dt³.
///
/// The position limits are kept whenever they can be: see plan_to_rest_at(). An axis that has arrived is at
/// its target to the last bit, with no velocity and no acceleration.
///
/// One thread; a value. Nothing but make() allocates.
class JointSmoother {
 public:
  /// A smoother that rests at zero, or at the nearest limit to it; reset() says where the robot is. Refuses
  /// limits that are not usable and more than kMaxAxes axes.
  static Result<JointSmoother> make(std::span<const AxisLimits> limits, const SmootherOptions& options = {});

  std::size_t axis_count() const SINEW_REALTIME { return axis_count_; }

  /// Begins anew from `states`, one for each axis, which may move: the axes come to a stop until step()
  /// brings targets. False, and nothing has changed, when a value is not usable or the count differs. Ends
  /// all stops.
  [[nodiscard]] bool reset(std::span<const AxisState> states) SINEW_REALTIME;

  /// The next state of each axis, `dt` [s] after the last, on the way to `targets` [rad, m], one for each
  /// axis; missing ones keep the last. A `dt` that is no positive number counts as zero.
  SmootherReport step(std::span<const double> targets, double dt) SINEW_REALTIME;

  /// In the next step() axis `i` goes to `next`, whatever its target is: for motions that were planned
  /// elsewhere, whose caller answers for limits and continuity. Its profile() is then the way on which it
  /// would stop from there, and that is what follows unless it is led again or given a target. Nothing while
  /// the axis is stopped or `next` is not usable.
  void lead(std::size_t i, const AxisState& next) SINEW_REALTIME;

  /// The states as of the last step(), brake_instead() or reset().
  std::span<const AxisState> states() const SINEW_REALTIME { return {states_.data(), axis_count_}; }

  /// The motion that axis `i` follows, and how far it has come on it [s].
  const AxisProfile& profile(std::size_t i) const SINEW_REALTIME { return profiles_[i]; }
  double elapsed(std::size_t i) const SINEW_REALTIME { return elapsed_[i]; }

  /// The axes in `mask` brake to rest as fast as they may, and stay until release().
  void stop(std::uint64_t mask) SINEW_REALTIME;

  /// Takes back what the last step() did to the axes in `mask` and lets them brake, for this cycle already,
  /// from where they were before it; they stay stopped until release(). The way is plan_stop() from there:
  /// who has checked that in the cycle before knows that it is free.
  void brake_instead(std::uint64_t mask) SINEW_REALTIME;

  /// The axes in `mask` follow targets again.
  void release(std::uint64_t mask) SINEW_REALTIME;

  /// Which axes are stopped or stopping.
  std::uint64_t stopped_mask() const SINEW_REALTIME { return stopped_mask_; }

  const AxisLimits& limits(std::size_t i) const SINEW_REALTIME { return limits_[i]; }

  /// New limits for axis `i`, from the next step() on; the axis comes back inside as fast as the jerk limit
  /// allows. False, and nothing has changed, when they are not usable.
  [[nodiscard]] bool set_limits(std::size_t i, const AxisLimits& limits) SINEW_REALTIME;

 private:
  JointSmoother() = default;

  void take_targets(std::span<const double> targets, SmootherReport& report) SINEW_REALTIME;
  void plan(std::size_t i) SINEW_REALTIME;
  void plan_stop_from(std::size_t i, const AxisState& state) SINEW_REALTIME;
  void plan_changed() SINEW_REALTIME;
  void go_as_led(std::size_t i, SmootherReport& report) SINEW_REALTIME;

  std::size_t axis_count_ = 0;
  SmootherOptions options_;
  std::uint64_t stopped_mask_ = 0;
  std::uint64_t changed_mask_ = 0;  // to be planned anew in the next step
  std::uint64_t wanted_mask_ = 0;   // have got a target since reset
  std::uint64_t led_mask_ = 0;      // in the next step
  double last_dt_ = 0.0;
  std::array<AxisLimits, kMaxAxes> limits_;
  std::array<double, kMaxAxes> wanted_{};
  std::array<double, kMaxAxes> elapsed_{};
  std::array<AxisState, kMaxAxes> states_;
  std::array<AxisState, kMaxAxes> previous_;
  std::array<AxisState, kMaxAxes> led_;
  std::array<AxisProfile, kMaxAxes> profiles_;
};

}  // namespace sinew
