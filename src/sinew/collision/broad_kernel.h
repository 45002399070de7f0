// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sinew/collision/kernels.h"
#include "sinew/kinematics/lanes.h"

/// Balls against balls, eight at a time. See kinematics/lanes.h for the namespace.
namespace sinew::kernel {
namespace {

[[gnu::always_inline]] inline F8 squared_distance(const BallTable& table, int i, int at) {
  const F8 x = load(table.x + at) - table.x[i];
  const F8 y = load(table.y + at) - table.y[i];
  const F8 z = load(table.z + at) - table.z[i];
  return x * x + y * y + z * z;
}

int near_pairs(const BallTable& table, float extra, unsigned* pairs) {
  int count = 0;
  for (int i = 0; i < table.count; ++i) {
    const unsigned char* wanted = table.wanted + i * table.blocks;
    for (int block = table.first_block[i]; block < table.blocks; ++block) {
      if (wanted[block] == 0) continue;
      const F8 reach = load(table.radius + 8 * block) + (table.radius[i] + extra);
      // a reach below zero is never met
      const I8 is_near = (squared_distance(table, i, 8 * block) <= reach * reach) & (reach >= 0.0F);
      unsigned bits = mask_bits(is_near) & wanted[block];
      for (; bits != 0; bits &= bits - 1) {
        pairs[count++] =
            static_cast<unsigned>(i) << 16 | static_cast<unsigned>(8 * block + __builtin_ctz(bits));
      }
    }
  }
  return count;
}

unsigned nearest_pair(const BallTable& table) {
  F8 best = all<F8>(1e30F);
  I8 best_pair = I8{} - 1;
  const I8 lane = {0, 1, 2, 3, 4, 5, 6, 7};
  const I8 bit = {1, 2, 4, 8, 16, 32, 64, 128};
  for (int i = 0; i < table.count; ++i) {
    const unsigned char* wanted = table.wanted + i * table.blocks;
    for (int block = table.first_block[i]; block < table.blocks; ++block) {
      if (wanted[block] == 0) continue;
      const F8 gap =
          root(squared_distance(table, i, 8 * block)) - (load(table.radius + 8 * block) + table.radius[i]);
      const I8 is_better = ((bit & wanted[block]) != 0) & (gap < best);
      best = is_better != 0 ? gap : best;
      best_pair = is_better != 0 ? (lane + (i << 16 | 8 * block)) : best_pair;
    }
  }
  int at = 0;
  for (int k = 1; k < 8; ++k) at = best[k] < best[at] ? k : at;
  return static_cast<unsigned>(best_pair[at]);
}

}  // namespace
}  // namespace sinew::kernel
