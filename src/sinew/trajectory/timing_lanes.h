// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "sinew/trajectory/timing_kernel.h"

namespace sinew {

/// `count` and as many more as fill the last of the kernels' registers.
constexpr std::size_t filled_lanes(std::size_t count) {
  constexpr std::size_t kLanes = kernel::kTimingLanes;
  return (count + kLanes - 1) / kLanes * kLanes;
}

}  // namespace sinew
