// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>

#include "sinew/trajectory/joint_path.h"

namespace sinew {

/// From rest to rest along a path of straight lines with blends between them, such as blended_path() makes
/// with BlendKind::Quintic, within the velocity, acceleration and jerk limits of each joint.
///
/// Through each blend at one speed, the highest that its bend allows; along each line as fast as possible
/// from speed to speed. So it is a closed form for each piece, and exact: no polynomial is fitted to
/// anything. A motion that changes its speed within blends can be somewhat faster; jerk_limited_along() finds
/// it at a hundred times the cost.
///
/// Nothing for a path of another kind: one that begins or ends in a bend, or whose second derivative is not
/// zero where a bend begins or ends. Positions are not looked at. Allocates.
std::optional<Trajectory> time_blends(const JointPath& path, std::span<const AxisLimits> limits);

/// The same where parts of the path have limits of their own: `sections`, at least one. A piece of the path
/// that is in several keeps the least of theirs.
std::optional<Trajectory> time_blends(const JointPath& path, std::span<const LimitSection> sections);

}  // namespace sinew
