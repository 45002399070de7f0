// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/collision/link_tree.h"

namespace sinew::collision {

/// The links of a robot in one configuration, each placed when it is first asked for. Inside this room only.
class LazyFrames {
 public:
  explicit LazyFrames(const LinkTree& tree)
      : q(tree.position_count()), tree_(&tree), X_WL_(tree.link_count() + 1), stamps_(X_WL_.size(), 0) {}

  /// To be called when `q` has changed.
  void begin() {
    if (++stamp_ == 0) {
      std::fill(stamps_.begin(), stamps_.end(), 0U);
      stamp_ = 1;
    }
    stamps_.front() = stamp_;
    stamps_.back() = stamp_;
  }

  /// X_WL; link_count() is the world.
  const Placement& of(std::size_t link) {
    if (stamps_[link] == stamp_) return X_WL_[link];
    const LinkTree::Step& step = *tree_->step_above(link);
    const double position = step.position == kNone ? 0.0 : q[step.position];
    X_WL_[link] = LinkTree::frame_after(step, of(step.parent), position);
    stamps_[link] = stamp_;
    return X_WL_[link];
  }

  std::vector<double> q;  ///< [rad, m]

 private:
  const LinkTree* tree_;
  std::vector<Placement> X_WL_;
  std::vector<std::uint32_t> stamps_;
  std::uint32_t stamp_ = 0;
};

}  // namespace sinew::collision
