// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/planning/configuration_tree.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/assert.h"
#include "sinew/planning/kernels.h"

namespace sinew::planning {
namespace {

constexpr std::size_t kBlock = kernel::kNodeBlock;
// so far away that no joint comes near, and its square is still a number
constexpr float kNowhere = 1e17F;

}  // namespace

ConfigurationTree::ConfigurationTree(std::size_t size, std::size_t most_nodes)
    : size_(size), most_nodes_(most_nodes), blocks_((most_nodes + kBlock - 1) / kBlock * kBlock * size) {
  parents_.reserve(most_nodes);
  radii_.reserve(most_nodes);
  is_proven_.reserve(most_nodes);
  is_cut_.reserve(most_nodes);
}

void ConfigurationTree::clear() {
  parents_.clear();
  radii_.clear();
  is_proven_.clear();
  is_cut_.clear();
}

std::uint32_t ConfigurationTree::add(const float* q, std::uint32_t parent) {
  SINEW_ASSERT(!is_full() && (parent == kNoNode || !is_cut_off(parent)));
  const std::size_t node = parents_.size();
  float* block = &blocks_[node / kBlock * kBlock * size_];
  // a new block holds nothing yet
  if (node % kBlock == 0) std::fill(block, block + kBlock * size_, kNowhere);
  for (std::size_t i = 0; i < size_; ++i) block[i * kBlock + node % kBlock] = q[i];
  parents_.push_back(parent);
  radii_.push_back(std::numeric_limits<float>::infinity());
  is_proven_.push_back(0);
  is_cut_.push_back(0);
  return static_cast<std::uint32_t>(node);
}

ConfigurationTree::Found ConfigurationTree::nearest(const float* q) const {
  SINEW_ASSERT(!parents_.empty());
  const auto block_count = static_cast<int>((parents_.size() + kBlock - 1) / kBlock);
  const kernel::NearestNode found =
      kernel::planning_kernels().nearest(blocks_.data(), block_count, static_cast<int>(size_), q);
  return {.node = static_cast<std::uint32_t>(found.index), .distance = std::sqrt(found.square)};
}

void ConfigurationTree::configuration(std::uint32_t node, float* q) const {
  const float* block = &blocks_[node / kBlock * kBlock * size_];
  for (std::size_t i = 0; i < size_; ++i) q[i] = block[i * kBlock + node % kBlock];
}

void ConfigurationTree::cut_off(std::uint32_t node) {
  is_cut_[node] = 1;
  // children come after their parents
  for (std::size_t i = node; i < parents_.size(); ++i) {
    const bool hangs_on_it = parents_[i] != kNoNode && is_cut_[parents_[i]] != 0;
    if (i != node && !hangs_on_it) continue;
    is_cut_[i] = 1;
    blocks_[i / kBlock * kBlock * size_ + i % kBlock] = kNowhere;
  }
}

}  // namespace sinew::planning
