// SPDX-License-Identifier: BSD-3-Clause
// In the place of kernels_avx2.cc: a processor without AVX2, so that the portable kernels pass the same
// tests.
#include "sinew/collision/kernels.h"

namespace sinew::kernel {

const CollisionKernels* avx2_collision_kernels() {
  return nullptr;
}

}  // namespace sinew::kernel
