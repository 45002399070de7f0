// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sinew/kinematics/lanes.h"
#include "sinew/planning/kernels.h"

/// See kinematics/lanes.h for the namespace.
namespace sinew::kernel {
namespace {

NearestNode nearest_node(const float* blocks, int block_count, int size, const float* q) {
  F8 best = all<F8>(3e38F);
  I8 best_block = I8{};
  for (int block = 0; block < block_count; ++block) {
    const float* at = blocks + block * size * kNodeBlock;
    F8 square = all<F8>(0.0F);
    for (int joint = 0; joint < size; ++joint) {
      const F8 apart = load(at + joint * kNodeBlock) - q[joint];
      square += apart * apart;
    }
    const I8 is_nearer = square < best;
    best = is_nearer != 0 ? square : best;
    best_block = is_nearer != 0 ? I8{} + block : best_block;
  }
  NearestNode found{best_block[0] * kNodeBlock, best[0]};
  for (int lane = 1; lane < kNodeBlock; ++lane) {
    const int index = best_block[lane] * kNodeBlock + lane;
    const bool is_first = best[lane] == found.square && index < found.index;
    if (best[lane] < found.square || is_first) found = {index, best[lane]};
  }
  return found;
}

}  // namespace
}  // namespace sinew::kernel
