// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/messages/joints.h"
#include "sinew/messages/safety.h"
#include "sinew/model/positions.h"
#include "sinew/model/robot_model.h"

namespace sinew {

/// What the controller has last said of the robot.
class RobotView {
 public:
  /// `model` must outlive it.
  explicit RobotView(const RobotModel& model) : model_(model), encoder_error_(encoder_error(model)) {}

  void take(const JointState& state) { state_ = state; }
  void take(const JointCommand& command) { command_ = command; }
  void take(const Safety& safety) { safety_ = safety; }

  /// Whether it carries out wishes now, or why not.
  Status is_ready(std::int64_t now_ns) const;

  /// Where the joints were sent last [rad, m].
  std::span<const double> sent() const;
  std::span<const double> measured() const;
  const Safety& safety() const noexcept { return safety_; }
  /// What the driver was told last.
  const JointCommand& command() const noexcept { return command_; }

  /// Whether none of these joints is being moved, but for what a filter still creeps.
  bool rests(std::uint64_t joint_mask) const;
  /// Whether they stand still to the last bit.
  bool rests_wholly(std::uint64_t joint_mask) const;

  /// The joint in the mask that is measured furthest from `goal`, and how far [rad, m]; what whole counts of
  /// its encoder cannot tell is no distance.
  struct Miss {
    std::size_t joint = 0;
    double distance = 0.0;
  };
  Miss largest_miss(std::span<const double> goal, std::uint64_t joint_mask) const;

  /// Why the guard holds joints back, for people.
  std::string held_words() const;

 private:
  const RobotModel& model_;
  std::vector<double> encoder_error_;  ///< [rad, m] One per position.
  JointState state_;
  JointCommand command_;
  Safety safety_;
};

}  // namespace sinew
