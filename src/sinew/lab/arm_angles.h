// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/kinematics/serial_chain.h"
#include "sinew/lab/grade.h"

namespace sinew::lab {

/// The joints of the SCORBOT's arm, in order.
inline constexpr std::array<std::string_view, 5> kArmJoints{"base", "shoulder", "elbow", "pitch", "roll"};

/// Where a hand is, as students say it: the grip point [m]; how far the hand points down, seen along the way
/// that it faces [rad], pi/2 is straight down; how far it is turned about itself [rad].
struct HandPose {
  double x = 0.0;
  double y = 0.0;
  double z = 0.0;
  double pitch = 0.0;
  double roll = 0.0;
};
inline constexpr std::array<std::string_view, 5> kHandNumbers{"x", "y", "z", "pitch", "roll"};

/// The pose of a hand that faces `yaw` [rad] about the base's z.
Pose pose_of(const HandPose& hand, double yaw);

/// What `pose` is for a hand that faces `yaw`, pitch and roll in (-pi, pi].
HandPose hand_pose(const Pose& pose, double yaw);

/// The angle in (-pi, pi] [rad].
double wrapped(double angle);

/// Joint positions drawn within the limits; what has none within half a turn to each side.
std::vector<double> draw_joints(const SerialChain& chain, Draws& draws);

/// The chain of the model's first arm, which must have the five joints of kArmJoints.
Result<SerialChain> arm_chain(const RobotModel& model);

}  // namespace sinew::lab
