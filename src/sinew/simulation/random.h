// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

#include "sinew/base/split_mix.h"

namespace sinew {

/// Normally distributed numbers that are the same on every machine for the same seed.
class Random {
 public:
  explicit Random(std::uint64_t seed) : numbers_(seed) {}

  /// Over zero, up to one.
  double uniform() {
    constexpr double kStep = 1.0 / 9007199254740992.0;  // 2^-53
    return (static_cast<double>(numbers_.number() >> 11U) + 1.0) * kStep;
  }

  /// Mean 0, standard deviation 1 (Box and Muller 1958).
  double normal() {
    const double radius = std::sqrt(-2.0 * std::log(uniform()));
    return radius * std::cos(2.0 * std::numbers::pi * uniform());
  }

 private:
  SplitMix numbers_;
};

}  // namespace sinew
