// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "sinew/kinematics/kernels.h"
#include "sinew/kinematics/serial_chain.h"

/// Which arms have a closed form, found from their axes. Inside this room only.
namespace sinew {

/// The axis of a joint in the base's axes, all joints at zero.
struct Line {
  Vector3 axis;
  Vector3 point;
};
using Lines = std::vector<Line>;

/// How far from parallel [rad], and from meeting [m], axes may be.
struct Slack {
  double angle = 0.0;
  double length = 0.0;
};

/// The axes of a chain of revolute joints.
Lines lines_of(const SerialChain& chain);

bool are_parallel(const Line& a, const Line& b, const Slack& slack);

/// Where lines that are not parallel meet, when they do.
std::optional<Vector3> intersection(const Line& a, const Line& b, const Slack& slack);

/// Where three lines meet that each turn the next.
std::optional<Vector3> common_point(const Lines& lines, std::size_t first, const Slack& slack);

/// The class of an arm with five to seven joints; nothing when none fits.
std::optional<kernel::ClosedArm> closed_arm_of(const SerialChain& chain);

}  // namespace sinew
