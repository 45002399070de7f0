// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "sinew/base/result.h"
#include "sinew/trajectory/joint_curve.h"

namespace sinew {

/// What is wrong with a trajectory.
enum class TrajectoryFault : std::uint8_t {
  None,
  NotUsable,         ///< A coefficient is no number or too large, or limits bound nothing.
  WrongCount,        ///< Not one set of limits for each joint.
  Position,          ///< Beyond lower or upper.
  Velocity,          ///< Too fast.
  Acceleration,      ///< Too much of it.
  Jerk,              ///< Too much of it.
  PositionJump,      ///< One piece does not begin where the one before ends.
  VelocityJump,      ///< The same for the velocity.
  AccelerationJump,  ///< The same for the acceleration.
};

struct TrajectoryCheckOptions {
  double tolerance = 1e-9;  ///< [rad, m, and per s, s²] that pieces may differ where they meet.
  bool allow_acceleration_jumps = false;  ///< For trajectories that were made without a jerk limit.
};

/// The verdict on a trajectory: the first fault found, in the order of time.
struct TrajectoryCheck {
  TrajectoryFault fault = TrajectoryFault::None;
  std::size_t joint = 0;
  double time = 0.0;   ///< Since the begin of the trajectory [s].
  double value = 0.0;  ///< [rad, m] and derivatives, as it stands; of a jump its height.
  double bound = 0.0;  ///< What it passes.

  explicit operator bool() const { return fault == TrajectoryFault::None; }
};

/// Checks all of `trajectory` against `limits`, one for each joint: every instant of every piece, by the
/// extrema of position, velocity, acceleration and jerk (so that what is sampled from it at any rate keeps
/// the limits to kSegmentTolerance), and that pieces meet. Does not allocate.
TrajectoryCheck check_trajectory(const Trajectory& trajectory, std::span<const AxisLimits> limits,
                                 const TrajectoryCheckOptions& options = {}) SINEW_REALTIME;

/// The verdict in words; a joint beyond `names` is called by its number, from 1.
Status trajectory_status(const TrajectoryCheck& check, std::span<const std::string> names = {});

/// How much slower `trajectory` must run so that the largest velocity, acceleration and jerk of each joint
/// keep `limits`: 1 when they do; positions are not looked at. At least 1, and never more than needed by
/// 1e-9 of it. Does not allocate.
double needed_stretch(const Trajectory& trajectory, std::span<const AxisLimits> limits) SINEW_REALTIME;

/// The same for one piece of it.
double needed_stretch(const Trajectory& trajectory, std::size_t piece,
                      std::span<const AxisLimits> limits) SINEW_REALTIME;

}  // namespace sinew
