// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/language/action.h"
#include "sinew/messages/io.h"
#include "sinew/model/robot_model.h"
#include "sinew/trajectory/joint_curve.h"

namespace sinew {

/// Which output is to be switched, and to what; refuses one that robot.yaml does not name.
Result<IoCommand> command_of(const RobotModel& model, const language::OutputAction& action);

/// `next` laid over `command`: output by output the later one counts.
void add_to(IoCommand& command, const IoCommand& next);

/// What a gripper has to do: joints that move, or an output to be set and a time to wait.
struct GripperOrder {
  std::uint64_t joint_mask = 0;  ///< Zero: it hangs on an output.
  Trajectory trajectory;         ///< Of those joints, from rest to rest; no pieces: it is there already.
  std::vector<double> goal;      ///< All positions of the robot when it is done [rad, m].
  IoCommand io;
  double time = 0.0;  ///< [s] To wait.
};

/// From `q_all`, where all joints of the robot are sent to [rad, m]. Refuses a gripper that is not there,
/// widths and forces beyond its own, and joints that are not in use.
Result<GripperOrder> gripper_order(const RobotModel& model, const language::GripperAction& action,
                                   std::span<const double> q_all);

}  // namespace sinew
