// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "sinew/trajectory/axis_profile.h"
#include "sinew/trajectory/limit_brake.h"

namespace sinew {

/// Why an axis cannot go from one state to another within its limits.
enum class TransitionFault : std::uint8_t {
  None,
  NotUsable,           ///< No number, limits that bound nothing (see is_usable), or limits so far apart that
                       ///< rounding hides the motion (velocity beyond 1e10 · acceleration² / jerk).
  TargetVelocity,      ///< Too fast at the target.
  TargetAcceleration,  ///< The target must have no acceleration.
  Position,            ///< The motion would pass a position limit.
};

/// All motions that gain most in one direction, ordered by how long they take: see state_to_state.cc. In the
/// axis' own units, mirrored for the other direction.
struct GainFamily {
  double a = 0.0;            // acceleration at the start
  double x_plus = 0.0;       // where the acceleration is, or was, zero on the arc of jerk 1 through the start
  double w_plus = 0.0;       // the velocity there, minus that at the target
  double v_end = 0.0;        // at the target
  double high = 0.0;         // the higher of the two velocities
  double gap = 0.0;          // between them
  double least_above = 0.0;  // the least by which a peak is above both
  double most_above = 0.0;   // the same by the limit
  bool has_dent = false;     // begins with motions whose acceleration stays below zero
};

/// One axis between two states, within its limits of velocity, acceleration and jerk: how long that can take,
/// and the motion for any such time. From a start beyond the limits it first comes back into them
/// (limit_brake.h), which all times include. Not every time beyond the shortest is possible: an axis that
/// moves and shall go on moving may be too early after a while and have to turn round. A value; does not
/// allocate.
class AxisTransition {
 public:
  /// Nothing to do, at zero.
  AxisTransition() = default;

  /// From `from` to position and velocity of `to`, whose acceleration must be zero. What is wrong with them
  /// says fault(); nothing else may be asked then.
  AxisTransition(const AxisState& from, const AxisState& to, const AxisLimits& limits) SINEW_REALTIME;

  /// What of `from`, `to` or `limits` forbids a motion. Position limits are not looked at.
  TransitionFault fault() const SINEW_REALTIME { return fault_; }

  /// The shortest time [s]. Found anew by each call.
  double fastest() const SINEW_REALTIME;

  /// About as long as fastest(), most often within a few percent [s]: to choose which of many to ask first.
  double estimated_fastest() const SINEW_REALTIME;

  /// The shortest possible time that is not less than `duration` [s].
  double next_possible(double duration) const SINEW_REALTIME;

  /// The motion that takes `duration` [s], written into `profile`; false, and nothing is written, where that
  /// is not possible. Of the two motions that gain most and least in that time it is the mixture that ends at
  /// the target: a mixture of two motions within convex limits is within them.
  bool plan_motion(double duration, AxisProfile& profile) const SINEW_REALTIME;

 private:
  double next_possible_units(double time) const SINEW_REALTIME;

  TransitionFault fault_ = TransitionFault::None;
  bool is_upward_ = true;  // the target lies beyond where the shortest change of velocity ends
  double shortest_ = 0.0;  // how long that takes, in own units
  LimitBrake brake_;       // its end is where the motion within the limits begins
  AxisState from_;
  AxisState to_;
  double jerk_ = 1.0;
  double time_unit_ = 1.0;
  double distance_ = 0.0;  // in own units
  double tolerance_ = 0.0;
  GainFamily up_;
  GainFamily down_;
};

}  // namespace sinew
