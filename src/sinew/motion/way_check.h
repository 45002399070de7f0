// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "sinew/model/robot_model.h"
#include "sinew/motion/route_finder.h"
#include "sinew/trajectory/joint_curve.h"

namespace sinew {

/// What is in the way of a motion.
struct WayConflict {
  double time = 0.0;  ///< Of the motion as planned, just before it [s].
  std::string words;
};

/// A motion that is to be looked at.
struct WayToCheck {
  const Trajectory& trajectory;  ///< Of the joints in the mask, in order.
  std::uint64_t joint_mask = 0;
  double from = 0.0;               ///< The time from which on [s].
  std::span<const double> others;  ///< All positions of the robot; those of other joints count [rad, m].
};

/// The first conflict on the way, by the margin that the guard keeps; every instant of it is looked at. What
/// is too near already may get further apart.
std::optional<WayConflict> first_conflict(const RobotModel& model, RouteFinder& room, const WayToCheck& way);

}  // namespace sinew
