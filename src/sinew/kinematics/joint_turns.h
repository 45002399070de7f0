// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <numbers>

#include "sinew/kinematics/serial_chain.h"

namespace sinew {

/// The same posture of variable i, some whole turns away: the one nearest to `seed` among those within
/// limits, or the one nearest to the middle of its range when none is. Slides stay as they are.
inline double nearest_turn(const SerialChain& chain, std::size_t i, double q, double seed) {
  if (!chain.is_revolute(i)) return q;
  constexpr double kWholeTurn = 2.0 * std::numbers::pi;
  const JointLimits& range = chain.limits(i);
  double near = q;
  if (std::abs(seed - q) > 0.5 * kWholeTurn) near += kWholeTurn * std::round((seed - q) / kWholeTurn);
  // rounding must not push an answer at its limit over it
  constexpr double kSlack = 1e-9;
  if (near < range.lower - kSlack) near += kWholeTurn * std::ceil((range.lower - kSlack - near) / kWholeTurn);
  if (near > range.upper + kSlack) near -= kWholeTurn * std::ceil((near - range.upper - kSlack) / kWholeTurn);
  if (near < range.lower && near >= range.lower - kSlack) return range.lower;
  if (near > range.upper && near <= range.upper + kSlack) return range.upper;
  return near;
}

}  // namespace sinew
