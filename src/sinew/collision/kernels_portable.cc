// SPDX-License-Identifier: BSD-3-Clause
// The kernels for every processor of this architecture.
#include "sinew/collision/lane_kernel.h"

namespace sinew::kernel {

const CollisionKernels& portable_collision_kernels() {
  static constexpr CollisionKernels kPortable{.name = "portable",
                                              .near_pairs = near_pairs,
                                              .nearest_pair = nearest_pair,
                                              .place_lanes = place_lanes,
                                              .suspects = suspects};
  return kPortable;
}

const CollisionKernels& collision_kernels() {
  static const CollisionKernels& best =
      avx2_collision_kernels() != nullptr ? *avx2_collision_kernels() : portable_collision_kernels();
  return best;
}

}  // namespace sinew::kernel
