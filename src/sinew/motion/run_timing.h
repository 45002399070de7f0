// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/base/interruption.h"
#include "sinew/kinematics/serial_chain.h"
#include "sinew/motion/move.h"
#include "sinew/motion/move_way.h"
#include "sinew/trajectory/axis.h"

namespace sinew {

/// What a move with that timing may use of the limits of a joint.
AxisLimits limits_for(const MoveTiming& timing, const AxisLimits& of_joint);

/// A run of ways and how fast it is to be.
struct RunTask {
  const WayRun& run;
  std::span<const MoveWay> ways;       ///< Those of the run.
  std::span<const Move> moves;         ///< The whole chain: MoveWay::move counts in it.
  std::span<const AxisLimits> limits;  ///< Of the joints: what may be used of them.
  const SerialChain* chain = nullptr;  ///< To the tool; null: no tool.
  std::span<const std::string> names;  ///< Of the joints.
  double fineness = 1.0;               ///< How many more points than usual the timing looks at.
  Interruption interruption{};         ///< Asked while it is timed.
  /// How much slower a trajectory must be run for what is no limit of a joint, such as torque; none: not at
  /// all.
  std::function<double(const Trajectory&)> stretch{};
};

/// Rows that are no joints have no limits; these, such that the time to build them up is short.
inline constexpr AxisLimits kNoRowLimit{.velocity = 1e6, .acceleration = 1e7, .jerk = 1e9};
/// [rad, m, and per s, s²] What rounding makes of pieces that meet: far below what a controller can tell.
inline constexpr double kJumpTolerance = 1e-9;

struct TimedRun {
  /// Rows as those of the path; null rows are no limits of it. Keeps the limits at every instant.
  Trajectory trajectory;
  std::optional<MoveRefusal> refusal;
};

/// From rest to rest along the run. One move alone follows its law; several, or one that is JerkLimited, are
/// as fast as limits allow. Then all is run slower until it takes the time asked for, which for blended moves
/// is the sum of theirs. Speeds, accelerations and jerks hold for each move by itself, to the middle of the
/// blends at its ends.
TimedRun time_run(const RunTask& task);

/// When a trajectory with a coordinate row passes `coordinate` [s].
double time_at(const Trajectory& trajectory, double coordinate);

/// The joints alone, in the order `order` names them.
Trajectory joints_of(const Trajectory& rows, std::span<const std::size_t> order);

}  // namespace sinew
