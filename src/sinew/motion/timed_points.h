// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/messages/joints.h"
#include "sinew/messages/trajectory.h"
#include "sinew/model/robot_model.h"
#include "sinew/trajectory/joint_curve.h"

namespace sinew {

/// A place on a trajectory and when: one number for each of its joints.
struct TimedPoint {
  double time = 0.0;  ///< Since the begin [s].
  std::vector<double> position;
  std::vector<double> velocity;      ///< Empty where the trajectory gives none.
  std::vector<double> acceleration;  ///< The same.
};

/// A trajectory as somebody gives it.
struct TimedPoints {
  std::uint64_t joint_mask = 0;
  std::uint32_t content = 0;  ///< As TrajectoryPart::content.
  std::vector<TimedPoint> points;
  JointArray path_tolerance{};       ///< [rad, m] Zero: not looked at.
  JointArray goal_tolerance{};       ///< [rad, m] Zero: as is usual.
  double goal_time_tolerance = 0.0;  ///< [s] Zero: as is usual.
};

/// The parts in which it goes over the channel `trajectory`.
std::vector<TrajectoryPart> parts_of(const TimedPoints& trajectory, std::string_view who,
                                     std::uint64_t number);

/// The smooth motion through these points, from rest where the joints are to rest at the last one:
/// polynomials of fifth order, so that position, velocity and acceleration are continuous; where velocities
/// or accelerations are not given, such that no joint turns between its points. The first point is where the
/// joints are, or lies after the begin. `q_all`: of the robot [rad, m].
///
/// Refuses numbers and times that cannot be, a begin elsewhere, an end in motion, and what does not keep the
/// robot's limits at every instant; says which joint, when, the value and the bound.
Result<Trajectory> trajectory_through(const TimedPoints& points, const RobotModel& model,
                                      std::span<const double> q_all);

}  // namespace sinew
