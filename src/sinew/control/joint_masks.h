// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace sinew {

/// The mask of one joint.
constexpr std::uint64_t joint_bit(std::size_t joint) noexcept {
  return std::uint64_t{1} << joint;
}

/// Calls `function` with the number of each joint in `mask`, in order.
template <class Function>
void for_each_joint(std::uint64_t mask, Function function) {
  for (; mask != 0; mask &= mask - 1) function(static_cast<std::size_t>(std::countr_zero(mask)));
}

}  // namespace sinew
