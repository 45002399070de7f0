// SPDX-License-Identifier: BSD-3-Clause
// The kernels for x86-64 processors with AVX2 and FMA; room.cmake compiles this file for them where it can.
#include "sinew/collision/kernels.h"

#ifdef __AVX2__
#include "sinew/collision/lane_kernel.h"

namespace sinew::kernel {

const CollisionKernels* avx2_collision_kernels() {
  static constexpr CollisionKernels kAvx2{.name = "avx2",
                                          .near_pairs = near_pairs,
                                          .nearest_pair = nearest_pair,
                                          .place_lanes = place_lanes,
                                          .suspects = suspects};
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
