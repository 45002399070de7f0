// SPDX-License-Identifier: BSD-3-Clause
// The passes for every processor of this architecture.
#include "sinew/trajectory/timing_passes.h"

namespace sinew::kernel {

const TimingKernels& portable_timing_kernels() {
  static constexpr TimingKernels kPortable{
      .backward = backward, .forward = forward, .are_within = are_within, .rates = rates};
  return kPortable;
}

}  // namespace sinew::kernel
