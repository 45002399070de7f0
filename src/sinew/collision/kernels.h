// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// The inner loops of collision checks, on plain arrays, compiled once for every processor and once for AVX2
/// with FMA, as those of kinematics are and by the same rules. Inside this room only.
namespace sinew::kernel {

/// Balls around all bodies, and which pairs of them matter. Arrays are padded to whole blocks of eight.
struct BallTable {
  const float* x;
  const float* y;
  const float* z;
  const float* radius;
  const unsigned char* wanted;        ///< count rows of `blocks` bytes: bit j of byte b for body 8 b + j.
  const unsigned short* first_block;  ///< Per body: the first block with a bit; `blocks` when there is none.
  int count;
  int blocks;
};

/// No pair.
inline constexpr unsigned kNoPair = ~0U;

struct CollisionKernels {
  const char* name;
  /// The wanted pairs whose balls are no further apart than `extra`, as i << 16 | j; returns their number.
  int (*near_pairs)(const BallTable&, float extra, unsigned* pairs);
  /// The wanted pair whose balls are nearest; kNoPair when none is wanted.
  unsigned (*nearest_pair)(const BallTable&);
};

/// The best that this processor runs.
const CollisionKernels& collision_kernels();
/// The one that every processor runs.
const CollisionKernels& portable_collision_kernels();
/// The one for AVX2 and FMA; nullptr where it was not built or cannot run.
const CollisionKernels* avx2_collision_kernels();

}  // namespace sinew::kernel
