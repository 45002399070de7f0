// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sinew/kinematics/serial_chain.h"

/// Inside this room only.
namespace sinew::planning {

/// Points of a box, evenly and without repeating: the additive sequence of the generalised golden ratio,
/// shifted by a seed. Whole-number arithmetic, so that a seed means the same everywhere.
class EvenSequence {
 public:
  explicit EvenSequence(std::size_t size);
  /// From the point that `seed` says.
  void begin(std::uint64_t seed);
  /// The next point; each of its numbers is from 0 to below 1.
  void next(float* point);

 private:
  std::size_t size_;
  std::array<std::uint64_t, kMaxChainJoints> at_{};
  std::array<std::uint64_t, kMaxChainJoints> step_{};
};

}  // namespace sinew::planning
