// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "sinew/messages/joints.h"
#include "sinew/messages/requests.h"

#include "apps/cli/robot_link.h"

namespace sinew::cli {

/// Where some joints shall go.
struct JointGoal {
  std::uint64_t mask = 0;
  JointArray position{};  ///< [rad, m]
  Smoothing smoothing = Smoothing::JerkLimited;
};

/// The joint of that name or alias that has a position of its own and a motor in use: its place among the
/// robot's positions. A refusal suggests the nearest name.
Result<std::size_t> joint_to_move(const RobotModel& model, std::string_view name);
/// As above, motor in use or not.
Result<std::size_t> joint_to_look_at(const RobotModel& model, std::string_view name);

/// All names that people may use for joints.
std::vector<std::string> joint_names(const RobotModel& model);

/// A position from "0.5" [rad, m], "30deg" or "20mm"; refused beyond the joint's limits.
Result<double> position_from(const Joint& joint, std::string_view word);
/// Refused when `position` [rad, m] is beyond the joint's limits.
Status check_limits(const Joint& joint, double position);

/// The arm of that name; a refusal lists those that there are.
Result<std::size_t> arm_named(const RobotModel& model, std::string_view name);

/// Called every 20 ms while waiting; false ends the waiting.
using Patience = std::function<bool()>;

/// Sends the joints on their way, and with `patience` waits until they have come to rest there. A refusal
/// says who or what was in the way.
Status move_joints(RobotLink& robot, const JointGoal& goal, const Patience* patience);

/// Has the device look for its references, and with `patience` waits until it has found them, or failed.
Status home_joints(RobotLink& robot, const Patience* patience);

/// Has the motion service do it, and with `patience` waits for the end; else only until it is accepted.
/// `words`: what it says when it is done.
Status ask_and_wait(RobotLink& robot, const Request& request, const Patience* patience,
                    std::string* words = nullptr);

/// Has the motion service make one step of jogging, and with `patience` waits for its end; else only until it
/// is taken. A refusal says why it led nowhere.
Status jog_step(RobotLink& robot, JogWish wish, const Patience* patience);

}  // namespace sinew::cli
