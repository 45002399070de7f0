// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/planning/even_sequence.h"

#include <cmath>

#include "sinew/base/split_mix.h"

namespace sinew::planning {

EvenSequence::EvenSequence(std::size_t size) : size_(size) {
  // the root above 1 of x^(size+1) = x + 1
  double root = 2.0;
  for (int i = 0; i < 64; ++i) root = std::pow(1.0 + root, 1.0 / static_cast<double>(size + 1));
  double share = 1.0;
  for (std::size_t i = 0; i < size; ++i) {
    share /= root;
    step_[i] = static_cast<std::uint64_t>(std::ldexp(share, 53)) << 11U;
  }
}

void EvenSequence::begin(std::uint64_t seed) {
  for (std::size_t i = 0; i < size_; ++i) at_[i] = mixed(seed * kMaxChainJoints + i);
}

void EvenSequence::next(float* point) {
  for (std::size_t i = 0; i < size_; ++i) {
    at_[i] += step_[i];
    point[i] = static_cast<float>(at_[i] >> 40U) * 0x1.0p-24F;
  }
}

}  // namespace sinew::planning
