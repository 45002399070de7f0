// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/trajectory/joint_curve.h"

namespace sinew {

/// A law of motion from 0 to 1 in a unit of time, at rest at both ends with no acceleration: one polynomial
/// after the other.
struct SpeedLaw {
  JointCurve curve;  ///< Of one "joint".
};

/// Straight lines with parabolic blends: the time of a blend as several shares of the whole, a third first;
/// the acceleration is built up in a part of it, a tenth first. Made once.
std::span<const SpeedLaw> lspb_shapes();
/// The one quintic.
std::span<const SpeedLaw> quintic_shapes();

/// Along `path`, in one second, such that its row `row`, which must not fall, follows `law`.
Trajectory along_by_law(const JointCurve& path, std::size_t row, const SpeedLaw& law);

}  // namespace sinew
