// SPDX-License-Identifier: BSD-3-Clause
// The kernels for every processor of this architecture.
#include "sinew/kinematics/closed_kernel.h"
#include "sinew/kinematics/polish_kernel.h"
#include "sinew/kinematics/search_kernel.h"

namespace sinew::kernel {

const Kernels& portable_kernels() {
  static constexpr Kernels kPortable{.name = "portable",
                                     .forward = forward,
                                     .frames = frames,
                                     .jacobian = jacobian,
                                     .batch = batch,
                                     .choose_seeds = choose_seeds,
                                     .search = search,
                                     .closed = closed,
                                     .polish = polish};
  return kPortable;
}

const Kernels& kernels() {
  static const Kernels& best = avx2_kernels() != nullptr ? *avx2_kernels() : portable_kernels();
  return best;
}

}  // namespace sinew::kernel
