// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sinew/messages/safety.h"
#include "sinew/model/robot_model.h"

namespace sinew {

// What the controller says, in words for people: the same in console, reader, status and motion service.

/// A short name: "running", "self-collision", "out of limits"; "unknown" for a number that names none.
std::string_view state_text(ControlState state);
std::string_view reason_text(StopReason reason);
std::string_view refusal_text(Refusal refusal);

/// "lost, watchdog": what a device complains of in JointState::fault_bits; empty when it does not.
std::string faults_text(std::uint32_t fault_bits);

/// Why the robot, or a part of it, does not do what is wanted, without its state: "left_hand would come
/// within 8.0 mm of right_hand; they must stay 10.0 mm apart", "console asked for it"; empty when there is
/// nothing to say.
/// `model` gives names to joints; without one they have numbers. `fault_bits`: of the newest state.
std::string reason_sentence(const Safety& safety, const RobotModel* model, std::uint32_t fault_bits = 0);

/// Its state, why, and what to do about it: "stopped: console asked for it; 'reset' lets it run".
std::string state_sentence(const Safety& safety, const RobotModel* model, std::uint32_t fault_bits = 0);

/// All in one line, with the override and the recording: "running", "running; held: left_hand would come
/// within 8.0 mm of …", "stopped: console asked for it; 'reset' lets it run", "running; the guard is
/// overridden by console".
std::string safety_text(const Safety& safety, const RobotModel* model, std::uint32_t fault_bits = 0);

/// Why the last input was refused: "console: joint 'RSP' cannot go to 200.0 deg: its limits are …"; empty
/// when none was.
std::string refusal_sentence(const Safety& safety, const RobotModel* model);

/// The same without whose input it was: "joint 'RSP' cannot go to 200.0 deg: its limits are …".
std::string refusal_cause(const Safety& safety, const RobotModel* model);

/// Why the planned motion `ended_motion` ended before its time: "halted by run"; empty when it did not.
std::string motion_end_sentence(const Safety& safety, const RobotModel* model);

/// "joint 'RSP' cannot go to -90.0 deg: its limits are -35.0 deg to 130.0 deg". [rad, m]
std::string limit_sentence(const Joint& joint, double target);

/// A joint position for people: an angle or a length.
std::string position_text(const Joint& joint, double position);

}  // namespace sinew
