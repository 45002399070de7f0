// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/collision/batch.h"
#include "sinew/collision/collision_checker.h"
#include "sinew/collision/items.h"
#include "sinew/collision/kernels.h"

/// What a CollisionChecker works with. Inside this room only.
namespace sinew::collision {

/// So many open pairs of a proof are kept at once; with more it becomes a sweep.
inline constexpr std::size_t kMostOpen = 1024;

/// All that a checker works with; sized once.
struct Scratch : Items {
  explicit Scratch(const RobotShapes& robot);

  void set_world(const Obstacles& new_world);
  /// As in CollisionChecker::clear_lanes; `is_all_or_none`: zero as soon as one lane is not clear.
  unsigned clear_lanes(std::span<const float> lanes, bool is_all_or_none);
  /// After a change of the world, before the batch is used.
  void update_batch();
  bool is_clear(std::span<const double> new_q);
  void place(std::span<const double> q);
  void set_balls(double share_of_way);
  std::size_t near_pairs(double extra);
  bool is_lane_clear(std::span<const float> lanes, unsigned lane, bool is_alone);
  Separation gap(const Item& a, const Item& b, double enough) const;
  /// Whether the two are nearer than their margin, where the links were placed last.
  bool is_too_near(const Item& a, const Item& b) const;
  Travel pair_travel(const Item& a, const Item& b) const;
  void set_row(std::size_t i);
  void set_motion(std::span<const double> q0, std::span<const double> q1, std::span<const double> slack);
  kernel::BallTable table() const;

  Batch batch;
  bool is_batch_stale = true;  // a guard never asks for batches, and its world changes in the cycle
  std::size_t blocks = 0;
  std::vector<Placement> X_WL;  // the last is the world's own
  std::vector<LinkMotion> motions;
  std::vector<Travel> travel;  // per item, seen from the root [m]
  std::vector<double> q;
  std::vector<float> edge;   // eight configurations of one
  std::vector<float> rates;  // of a way that is proven, and its pairs that are open, cut after cut
  std::vector<kernel::LaneOpen> open_pairs;
  std::vector<int> among;
  std::vector<float> x, y, z, radius;
  std::vector<unsigned char> wanted;
  std::vector<unsigned short> first_block;
  std::vector<unsigned> pairs;  // candidates, one list after the other while a sweep is halved
};

}  // namespace sinew::collision
