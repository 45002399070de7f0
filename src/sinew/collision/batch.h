// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "sinew/collision/kernels.h"
#include "sinew/collision/robot_shapes.h"

/// What eight configurations at once are checked with: everything as floats, in the kernels' arrays. Inside
/// this room only.
namespace sinew::collision {

struct Scratch;

class Batch {
 public:
  explicit Batch(const RobotShapes& shapes);
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  /// Takes over the items of `scratch`; must be called when they change. Allocates nothing.
  void set_items(const Scratch& scratch);

  /// Forward kinematics of all lanes, q[position · 8 + lane]. A bit per lane that can go on; the others,
  /// whose numbers are not finite or beyond all turns, are checked by themselves.
  unsigned place(std::span<const float> q);
  /// The pairs of items of `lane` that may be too near, as i << 16 | j.
  std::span<const unsigned> suspects(std::size_t lane);
  /// False: more were found than there is room for; check the lane by itself.
  bool is_complete() const noexcept { return is_complete_; }

 private:
  void add_step(const LinkTree::Step& step);
  BoundingBall reach_of(std::size_t link, const Vector3& point, double radius) const;
  void add_mover(const Scratch& scratch, std::size_t item);
  void add_object(const Scratch& scratch, std::size_t item);
  void set_steps();
  void set_blocks(const Scratch& scratch);
  void fill_blocks(const Scratch& scratch, std::size_t mover);
  void set_pairs(const Scratch& scratch);
  bool is_separated(const kernel::Suspect& suspect, std::size_t lane) const;

  const RobotShapes* shapes_;
  std::vector<Matrix3> R_LK_;               // by link: from the kernel's frame, whose z is the joint's axis
  std::vector<BoundingBall> origin_reach_;  // by link: where its origin can be
  std::vector<kernel::LaneStep> all_steps_;
  std::vector<kernel::LaneStep> steps_;  // those that lead to a mover
  std::vector<char> is_needed_;          // by link
  std::vector<kernel::LaneMover> movers_;
  std::vector<kernel::LaneBox> mover_boxes_;
  std::vector<kernel::LaneBox> object_boxes_;
  std::vector<kernel::LanePair> pairs_;
  std::vector<std::size_t> mover_items_;
  std::vector<std::size_t> object_items_;
  std::vector<kernel::LaneBlock> blocks_;
  std::vector<kernel::LaneLink> links_;
  std::vector<kernel::NearPair> near_pairs_;
  int near_count_ = 0;
  std::unique_ptr<float[][4][kernel::kBatch]> centres_;
  std::vector<kernel::Suspect> found_;
  std::vector<unsigned> suspects_;
  kernel::LaneScene scene_{};
  bool is_complete_ = true;
};

}  // namespace sinew::collision
