// SPDX-License-Identifier: BSD-3-Clause
// In the place of kernels_avx2.cc: a processor without AVX2, so that the portable kernels pass the same
// tests.
#include "sinew/kinematics/kernels.h"

namespace sinew::kernel {

const Kernels* avx2_kernels() {
  return nullptr;
}

}  // namespace sinew::kernel
