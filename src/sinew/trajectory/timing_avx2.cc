// SPDX-License-Identifier: BSD-3-Clause
// The passes for x86-64 processors with AVX2 and FMA; room.cmake compiles this file for them where it can.
#include "sinew/trajectory/timing_kernel.h"

#ifdef __AVX2__
#include "sinew/trajectory/timing_passes.h"

namespace sinew::kernel {

const TimingKernels* avx2_timing_kernels() {
  static constexpr TimingKernels kAvx2{
      .backward = backward, .forward = forward, .are_within = are_within, .rates = rates};
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? &kAvx2 : nullptr;
}

}  // namespace sinew::kernel
#else
namespace sinew::kernel {

const TimingKernels* avx2_timing_kernels() {
  return nullptr;
}

}  // namespace sinew::kernel
#endif
