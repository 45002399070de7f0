// SPDX-License-Identifier: BSD-3-Clause
// The kernel for x86-64 processors with AVX2; room.cmake compiles this file for them where it can.
#include "sinew/planning/kernels.h"

#ifdef __AVX2__
#include "sinew/planning/nearest_kernel.h"

namespace sinew::kernel {

const PlanningKernels* avx2_planning_kernels() {
  static constexpr PlanningKernels kAvx2{.name = "avx2", .nearest = nearest_node};
  return __builtin_cpu_supports("avx2") ? &kAvx2 : nullptr;
}

}  // namespace sinew::kernel
#else
namespace sinew::kernel {

const PlanningKernels* avx2_planning_kernels() {
  return nullptr;
}

}  // namespace sinew::kernel
#endif
