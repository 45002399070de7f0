// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <random>

namespace sinew {

/// Random numbers that are the same on every machine for the same seed.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : engine_(seed) {}

  /// All 64 bits of it.
  std::uint64_t number() { return engine_(); }

  /// Uniform in [low, high).
  double between(double low, double high) {
    // the standard fixes the engine's numbers, but not those of its distributions
    return low + (high - low) * (static_cast<double>(number() >> 11U) * 0x1.0p-53);
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace sinew
