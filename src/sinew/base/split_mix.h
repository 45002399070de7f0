// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <utility>

namespace sinew {

/// A well mixed number from a counter: SplitMix64 (Steele, Lea, Flood 2014).
constexpr std::uint64_t mixed(std::uint64_t counter) {
  std::uint64_t z = counter + 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31U);
}

/// The sequence of them, the same on every machine. Smaller and quicker than Draws, to be had many of.
class SplitMix {
 public:
  /// From one counter to the next.
  static constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15ULL;

  explicit SplitMix(std::uint64_t seed) : at_(seed) {}

  /// All 64 bits of it.
  std::uint64_t number() { return mixed(std::exchange(at_, at_ + kStep)); }
  /// Uniform in [low, high).
  double between(double low, double high) {
    return low + (high - low) * (static_cast<double>(number() >> 11U) * 0x1.0p-53);
  }

 private:
  std::uint64_t at_;
};

}  // namespace sinew
