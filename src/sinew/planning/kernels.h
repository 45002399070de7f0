// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// The inner loop of the search, compiled once for every processor and once for AVX2, as those of kinematics
/// are and by the same rules. Sums are not contracted, so that both builds find the same. Inside this room
/// only.
namespace sinew::kernel {

inline constexpr int kNodeBlock = 8;

/// Which of many configurations is nearest, and the square of how far it is.
struct NearestNode {
  int index;
  float square;
};

struct PlanningKernels {
  const char* name;
  /// Blocks of eight configurations side by side: blocks[(block · size + joint) · 8 + lane]. Of equals, the
  /// first.
  NearestNode (*nearest)(const float* blocks, int block_count, int size, const float* q);
};

/// The best that this processor runs.
const PlanningKernels& planning_kernels();
/// The one that every processor runs.
const PlanningKernels& portable_planning_kernels();
/// The one for AVX2; nullptr where it was not built or cannot run.
const PlanningKernels* avx2_planning_kernels();

}  // namespace sinew::kernel
