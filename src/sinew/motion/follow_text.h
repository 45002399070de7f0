// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "sinew/base/result.h"
#include "sinew/spatial/pose.h"

namespace sinew {

/// Who follows whom, and how.
struct FollowTask {
  std::string master;  ///< Whose `state` is followed: a robot of the same space, or a recording played back.
  std::string model;   ///< Name or path of its description; empty: as the master is called.
  std::string master_arm;   ///< Empty when it has one.
  std::string master_tool;  ///< Empty: the flange.
  std::string arm;          ///< That follows; empty when the robot has one.
  std::string tool;
  bool is_of_joints = false;                 ///< Joints follow joints; else the tool follows the tool.
  double scale = 1.0;                        ///< [1] Of the master's way; rotations are not scaled.
  bool turns = true;                         ///< Whether the tool turns as the master's does.
  Quaternion R_BM = Quaternion::Identity();  ///< How the master's base lies in the follower's.
  bool has_clutch = false;                   ///< It stands until the clutch is engaged.
};

/// Reads a line of YAML, such as {master: panda, scale: 0.5, rpy: [0, 0, 1.57], clutch: true}; `what` is
/// `tool` or `joints`.
Result<FollowTask> follow_task_from_text(std::string_view text);

}  // namespace sinew
