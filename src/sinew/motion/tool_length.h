// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "sinew/kinematics/serial_chain.h"
#include "sinew/motion/move_way.h"

namespace sinew {

/// The same run with the way of the tool as its coordinate [m]: who goes along it evenly moves the tool
/// evenly, on lines, circles and splines, and in the blends between them. So that it goes on where the tool
/// stands still, each radian that the joints turn adds a little of its own (kTurnLength, at a right angle to
/// the tool's way). The sections' bounds become knots. Nothing where the run itself stands still, as a spline
/// may that turns back. `chain` ends in the tool.
std::optional<WayRun> by_tool_length(const WayRun& run, const SerialChain& chain);

/// How far the tool goes by the coordinate of such a run [m/m]: 1 but for what the joints turn.
double tool_rate_by_length(const WayRun& run, double u);

}  // namespace sinew
