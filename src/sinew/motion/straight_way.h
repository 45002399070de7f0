// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/model/robot_model.h"
#include "sinew/trajectory/axis_profile.h"

namespace sinew {

/// Where a straight way leads, and how fast it may be gone.
struct WayTask {
  std::span<const double> from;  ///< [rad, m] One number per joint position of the robot.
  std::span<const double> to;
  std::uint64_t joint_mask = 0;  ///< The joints that move.
  double speed = 1.0;            ///< [1] Share of the velocity limits; acceleration and jerk follow.
};

/// A motion from rest to rest along a straight line in the joints, all of them in step, within limits.
class StraightWay {
 public:
  StraightWay() = default;
  StraightWay(const RobotModel& model, const WayTask& task);

  /// How long it takes [s].
  double duration() const { return profile_.duration(); }

  /// Writes where the moving joints are `time` [s] after the begin into `q`; leaves the others.
  void write_at(double time, std::span<double> q) const;

  /// From `time` [s] on, brakes along the line instead; times count from then on.
  void brake_at(double time);

 private:
  std::vector<double> from_;
  std::vector<double> to_;
  std::uint64_t joint_mask_ = 0;
  AxisLimits limits_;  // of the share of the line, 0 to 1
  AxisProfile profile_;
};

}  // namespace sinew
