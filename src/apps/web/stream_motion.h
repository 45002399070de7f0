// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/messages/joints.h"
#include "sinew/model/robot_model.h"
#include "sinew/motion/timed_points.h"

#include "apps/web/stream.h"

namespace sinew {

/// How a stream is moved along again: first to where it begins, then along it.
struct StreamReplay {
  std::uint64_t joint_mask = 0;  ///< That are brought to the begin.
  JointArray begin{};            ///< [rad, m]
  TimedPoints points;            ///< Of the joints that move; none: nothing but the begin.
  double slower = 1.0;           ///< [1] How much longer it takes than it took, for the robot's limits.
};

/// A stream as a trajectory within the robot's limits: smoothed over some 60 ms, begun and ended at rest, and
/// slowed down as a whole where a joint would be too fast. Grippers stay as they are: what they held then
/// they may not hold now. Refused: a stream of joints that the robot does not have or that are not in use,
/// beyond their limits, or that would have to be slowed down beyond all likeness.
Result<StreamReplay> replay_of(const Stream& stream, const RobotModel& model);

/// Rows of a stream between which the joints go straight, to within `tolerance` [rad, m]: its first and its
/// last, and as few between as that allows.
std::vector<std::size_t> turning_rows(const Stream& stream, double tolerance);

/// A program that goes through the turning rows, for one arm's joints. Refused: no arm has its joints.
struct StreamProgram {
  std::string text;
  std::size_t points = 0;
};
Result<StreamProgram> program_of(const Stream& stream, const RobotModel& model, double tolerance);

}  // namespace sinew
