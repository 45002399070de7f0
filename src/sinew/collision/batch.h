// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
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

  /// What is known of eight lanes, a bit each. Those neither hit nor open are clear.
  struct Lanes {
    unsigned hit = 0;    ///< Too near for certain.
    unsigned open = 0;   ///< To be decided by exact distances of its suspects.
    unsigned alone = 0;  ///< Of those open: check the whole lane by itself. Its numbers are not finite or
                         ///< beyond all turns, or more suspects were found than there is room for.
  };
  /// q[position · 8 + lane]. `is_all_or_none`: one lane that is hit is enough, and the rest is left unknown.
  Lanes check(std::span<const float> q, bool is_all_or_none);
  /// The lanes in which one of the pairs that were in the way lately is too near for certain, a bit each;
  /// others may be too near all the same.
  unsigned hit_lanes(std::span<const float> q);
  /// Where the joints are, for open_among(). False: a number of q is not finite, or beyond all turns.
  bool place(std::span<const float> q);
  /// Pairs of `among`, or of all when that has no place, that may come too near in a lane while the joints
  /// go up to `rates` to either side. As many as there is room for.
  std::size_t open_among(std::span<const float> rates, std::span<const int> among,
                         std::span<kernel::LaneOpen> found) const;
  /// Pairs that check() could not clear, of all lanes; all or none: until one is hit.
  std::span<const kernel::Suspect> suspects() const;
  /// Whether planes that are quickly tried lie between the two of a pair, and `extra` [m] besides.
  bool is_separated(int pair, int lane, float extra = 0.0F) const;
  /// Their places among the scratch's items.
  std::pair<std::size_t, std::size_t> items_of(int pair) const;

 private:
  void add_step(const LinkTree::Step& step);
  BoundingBall reach_of(std::size_t link, const Vector3& point, double radius) const;
  void add_mover(const Scratch& scratch, std::size_t item);
  void add_object(const Scratch& scratch, std::size_t item);
  void note_hit(std::size_t at);
  void remember_hit(int pair);
  void set_steps();
  void set_meetings(const Scratch& scratch);
  void add_meetings(const Scratch& scratch, std::size_t mover);
  void set_pairs(const Scratch& scratch);

  const RobotShapes* shapes_;
  std::vector<Matrix3> R_LK_;               // by link: from the kernel's frame, whose z is the joint's axis
  std::vector<BoundingBall> origin_reach_;  // by link: where its origin can be
  std::vector<kernel::LaneStep> all_steps_;
  std::vector<kernel::LaneStep> steps_;  // those that lead to a mover
  std::vector<char> is_needed_;          // by link
  std::vector<int> step_of_;             // by link: of steps_
  std::vector<kernel::LaneMover> movers_;
  std::vector<kernel::LaneBox> mover_boxes_;
  std::vector<kernel::LaneBox> object_boxes_;
  std::vector<kernel::LaneRange> ranges_;
  std::vector<kernel::LaneMeeting> meetings_;
  std::vector<kernel::LanePair> pairs_;
  std::vector<unsigned char> near_;
  std::vector<float> most_;  // by position
  std::vector<std::size_t> mover_items_;
  std::vector<std::size_t> object_items_;
  std::vector<kernel::LaneTurn> turns_;
  std::vector<kernel::LaneLink> links_;
  std::unique_ptr<float[][3][kernel::kBatch]> centres_;
  std::unique_ptr<float[][kernel::kBatch]> travels_;
  std::vector<kernel::Suspect> found_;
  std::size_t found_count_ = 0;
  std::array<int, 16> hits_{};  // the last one foremost: what was in the way often is again
  std::size_t hit_count_ = 0;
  kernel::LaneScene scene_{};
};

}  // namespace sinew::collision
