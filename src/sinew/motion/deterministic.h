// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <numbers>

#include "sinew/model/robot_model.h"

namespace sinew {

/// The next of a row of numbers in 0 to 1 that is the same on every machine (splitmix64).
inline double next_unit(std::uint64_t& seed) {
  seed += 0x9E3779B97F4A7C15U;
  std::uint64_t mixed = seed;
  mixed = (mixed ^ (mixed >> 30U)) * 0xBF58476D1CE4E5B9U;
  mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBU;
  mixed ^= mixed >> 31U;
  return static_cast<double>(mixed >> 11U) * 0x1.0p-53;
}

/// A position within limits; within half a turn where there are none.
inline double between(const JointLimits& limits, std::uint64_t& seed) {
  const double lower = limits.lower > -1e9 ? limits.lower : -std::numbers::pi;
  const double upper = limits.upper < 1e9 ? limits.upper : std::numbers::pi;
  return lower + (upper - lower) * next_unit(seed);
}

}  // namespace sinew
