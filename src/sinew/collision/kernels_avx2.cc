// SPDX-License-Identifier: BSD-3-Clause
// The kernels for x86-64 processors with AVX2 and FMA; room.cmake compiles this file for them where it can.
#include "sinew/collision/kernels.h"

#ifdef __AVX2__
#include "sinew/collision/way_kernel.h"

namespace sinew::kernel {

const CollisionKernels* avx2_collision_kernels() {
  static constexpr CollisionKernels kAvx2{.name = "avx2",
                                          .near_pairs = near_pairs,
                                          .nearest_pair = nearest_pair,
                                          .follow_lanes = follow_lanes,
                                          .note_near = note_near,
                                          .hit_among = hit_among,
                                          .hit_lanes = hit_lanes,
                                          .suspects = suspects,
                                          .suspects_to_hit = suspects_to_hit,
                                          .open_among = open_among};
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? &kAvx2 : nullptr;
}

}  // namespace sinew::kernel
#else
namespace sinew::kernel {

const CollisionKernels* avx2_collision_kernels() {
  return nullptr;
}

}  // namespace sinew::kernel
#endif
