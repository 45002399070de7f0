// SPDX-License-Identifier: BSD-3-Clause
// The kernels for x86-64 processors with AVX2 and FMA; room.cmake compiles this file for them where it can.
#include "sinew/kinematics/kernels.h"

#ifdef __AVX2__
#include "sinew/kinematics/closed_kernel.h"
#include "sinew/kinematics/polish_kernel.h"
#include "sinew/kinematics/search_kernel.h"

namespace sinew::kernel {

const Kernels* avx2_kernels() {
  static constexpr Kernels kAvx2{.name = "avx2",
                                 .forward = forward,
                                 .frames = frames,
                                 .jacobian = jacobian,
                                 .batch = batch,
                                 .choose_seeds = choose_seeds,
                                 .search = search,
                                 .closed = closed,
                                 .polish = polish};
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? &kAvx2 : nullptr;
}

}  // namespace sinew::kernel
#else
namespace sinew::kernel {

const Kernels* avx2_kernels() {
  return nullptr;
}

}  // namespace sinew::kernel
#endif
