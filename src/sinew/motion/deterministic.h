// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <numbers>

#include "sinew/base/split_mix.h"
#include "sinew/model/robot_model.h"

namespace sinew {

/// The next of a row of numbers in 0 to 1 that is the same on every machine (splitmix64).
inline double next_unit(std::uint64_t& seed) {
  SplitMix numbers(seed);
  seed += SplitMix::kStep;
  return numbers.between(0.0, 1.0);
}

/// A position within limits; within half a turn where there are none.
inline double between(const JointLimits& limits, std::uint64_t& seed) {
  const double lower = limits.lower > -1e9 ? limits.lower : -std::numbers::pi;
  const double upper = limits.upper < 1e9 ? limits.upper : std::numbers::pi;
  return lower + (upper - lower) * next_unit(seed);
}

}  // namespace sinew
