// SPDX-License-Identifier: BSD-3-Clause
// The kernel for every processor of this architecture.
#include "sinew/planning/nearest_kernel.h"

namespace sinew::kernel {

const PlanningKernels& portable_planning_kernels() {
  static constexpr PlanningKernels kPortable{.name = "portable", .nearest = nearest_node};
  return kPortable;
}

const PlanningKernels& planning_kernels() {
  static const PlanningKernels& best =
      avx2_planning_kernels() != nullptr ? *avx2_planning_kernels() : portable_planning_kernels();
  return best;
}

}  // namespace sinew::kernel
