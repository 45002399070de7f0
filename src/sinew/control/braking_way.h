// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "sinew/base/realtime.h"
#include "sinew/collision/way_watch.h"
#include "sinew/control/stop_course.h"
#include "sinew/messages/joints.h"
#include "sinew/trajectory/axis.h"

namespace sinew {

/// One step of a robot, and the way to a stop after it with all joints.
class BrakingWay final : public RobotWay {
 public:
  /// From `from` to the states `next`, `dt` [s] later, and to rest within `limits`; one entry per joint each.
  void plan(std::span<const double> from, std::span<const AxisState> next, std::span<const AxisLimits> limits,
            double dt) SINEW_REALTIME;

  /// Whether nothing moves.
  bool stays() const SINEW_REALTIME { return moving_mask_ == 0; }
  /// How far each joint is, at any time of this way, from where the way `before`, which began by `lag` [s]
  /// earlier, had it, at most [rad, m]. The lag is a step at least.
  void drift_from(const BrakingWay& before, double lag, std::span<double> drift) const SINEW_REALTIME;

  double duration() const SINEW_REALTIME override { return step_ + braking_; }
  void place(double time, std::span<double> q) const SINEW_REALTIME override;
  void sample(double begin, double end, std::uint64_t mask,
              const WaySample& part) const SINEW_REALTIME override;

 private:
  void plan_joint(std::size_t joint, const AxisState& next, const AxisLimits& limits) SINEW_REALTIME;
  double position(std::size_t joint, double time) const SINEW_REALTIME;
  double corner(std::size_t joint, double begin, double end, double centre) const SINEW_REALTIME;
  double bend(std::size_t joint, double begin, double end) const SINEW_REALTIME;
  double rest(std::size_t joint, double begin, double end) const SINEW_REALTIME;

  std::size_t count_ = 0;
  std::uint64_t moving_mask_ = 0;
  std::uint64_t turning_mask_ = 0;  // of them, those that may turn round while they brake
  double step_ = 0.0;               // [s]
  double braking_ = 0.0;            // [s]
  JointArray from_{};
  JointArray next_{};
  JointArray bend_{};  // how far the step itself may be off the straight way [rad, m]
  JointArray kink_{};  // and off the way to a stop, gone on backwards with its first acceleration [rad, m]
  JointArray jerk_{};  // the largest of the way to a stop [rad/s³, m/s³]
  std::array<StopCourse, kMaxJoints> stops_;
};

}  // namespace sinew
