// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/kinematics/serial_chain.h"
#include "sinew/model/robot_model.h"
#include "sinew/picture/chart.h"

namespace sinew {

/// Joint positions over time, as a run or a recording left them.
struct JointLog {
  std::vector<double> seconds;                 ///< From its begin.
  std::vector<std::vector<double>> positions;  ///< [rad, m] One row a time, one number a position.
};

/// From where a map of a tool's way is drawn.
enum class MapView {
  Top,   ///< x to the right, y up.
  Side,  ///< x to the right, z up.
};

/// The joints over time: those that turn in degrees and, if any moves, those that slide in millimetres. Those
/// that move have colours and names; beside them, the others are grey.
std::vector<Chart> joint_charts(const RobotModel& model, const JointLog& log);

/// The way of the tool, and the arm as lines from joint to joint at the begin and at the end.
Chart tool_chart(const SerialChain& chain, const JointLog& log, MapView view);

/// Where the tool can be in the plane y = 0 of the base, coloured by how well it can move there in all
/// directions. When the first joint turns about z: in the half plane that the arm faces, and in the one
/// behind it. By random postures within the limits: the same seed gives the same chart.
Chart workspace_chart(const SerialChain& chain, std::uint64_t seed = 1);

/// A place to be marked on maps.
struct PlaceMark {
  std::string name;
  Vector3 place = Vector3::Zero();  ///< [m] In the arm's base.
};

/// Joint curves above, the tool's way from the side and from the top below. Of an arm: the one that moves
/// most, or the first; without one, the curves alone.
Result<Drawing> draw_run(const RobotModel& model, const JointLog& log, const std::string& title,
                         std::span<const PlaceMark> marks = {});

}  // namespace sinew
