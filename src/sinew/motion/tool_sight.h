// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <string>

#include "sinew/kinematics/serial_chain.h"
#include "sinew/trajectory/axis.h"
#include "sinew/trajectory/joint_curve.h"

namespace sinew {

/// A part of a finished trajectory, and what was asked of the tool there.
struct ToolSightTask {
  const SerialChain& chain;             ///< To the tool.
  const Trajectory& trajectory;         ///< Its first joints are the chain's.
  std::span<const AxisLimits> limits;   ///< Of these, as far as the move may use them.
  std::span<const std::string> names;   ///< Of these.
  double begin = 0.0;                   ///< [s]
  double end = 0.0;                     ///< [s]
  std::optional<double> asked_speed{};  ///< [m/s]
  bool speeds_up_first = true;          ///< It begins at rest, or where another speed ends.
  bool slows_down_last = true;          ///< It ends at rest, or where another speed begins.
};

/// What is seen of a tool on its way.
struct ToolSight {
  double dexterity = 1e9;           ///< Smallest singular value of the Jacobian.
  std::optional<std::string> slow;  ///< Where the tool is slower than it should be, and which joint is why.
};

/// Looks at the tool along its way. Slow is what falls below 97 % of the speed asked for, but for speeding up
/// and slowing down at the ends; without one asked for, below half of the highest.
ToolSight look_at_tool(const ToolSightTask& task);

/// "x 1.2 m y -300.0 mm z 700.0 mm".
std::string place_text(const Vector3& p);

}  // namespace sinew
