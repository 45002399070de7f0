// SPDX-License-Identifier: BSD-3-Clause
// The kernels for every processor of this architecture.
#include "sinew/collision/way_kernel.h"

namespace sinew::kernel {

const CollisionKernels& portable_collision_kernels() {
  static constexpr CollisionKernels kPortable{.name = "portable",
                                              .near_pairs = near_pairs,
                                              .nearest_pair = nearest_pair,
                                              .follow_lanes = follow_lanes,
                                              .note_near = note_near,
                                              .hit_among = hit_among,
                                              .hit_lanes = hit_lanes,
                                              .suspects = suspects,
                                              .suspects_to_hit = suspects_to_hit,
                                              .open_among = open_among};
  return kPortable;
}

const CollisionKernels& collision_kernels() {
  static const CollisionKernels& best =
      avx2_collision_kernels() != nullptr ? *avx2_collision_kernels() : portable_collision_kernels();
  return best;
}

}  // namespace sinew::kernel
