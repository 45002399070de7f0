// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>

#include "sinew/base/result.h"
#include "sinew/motion/arm_solver.h"
#include "sinew/spatial/twist.h"
#include "sinew/trajectory/joint_curve.h"

namespace sinew {

/// A short way of the tool, from rest to rest.
struct ToolStep {
  Twist way;             ///< [m, rad] In axes of the arm's base: how far in all.
  double speed = 1.0;    ///< [1] Share of the joints' limits to use.
  double linear = 0.25;  ///< [m/s] At most.
  double angular = 0.5;  ///< [rad/s] At most.
};

/// The joints of `arm`, in the order of its mask, while its tool goes exactly there, straight and turning
/// evenly. `limits`: in the same order. Refused: what the arm cannot do, or not without passing a limit.
Result<Trajectory> plan_tool_step(const ArmSolver& arm, std::span<const double> q_all, const ToolStep& step,
                                  std::span<const AxisLimits> limits);

}  // namespace sinew
