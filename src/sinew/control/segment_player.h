// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sinew/base/fixed_vector.h"
#include "sinew/control/mux.h"
#include "sinew/control/segment_check.h"
#include "sinew/messages/joints.h"
#include "sinew/messages/safety.h"
#include "sinew/trajectory/joint_smoother.h"

namespace sinew {

/// Pieces that may be queued, of all motions together.
inline constexpr std::size_t kMostPieces = 128;
/// Motions of different joints that may be queued or run at the same time.
inline constexpr std::size_t kMostMotions = 8;

/// What a cycle brings of planned motions. Masks are of joints.
struct PlayerNews {
  std::uint64_t begun_mask = 0;   ///< Of motions that began.
  std::uint64_t left_mask = 0;    ///< Left over by motions that others replaced: to brake.
  std::uint64_t broken_mask = 0;  ///< Of motions that were not continued in time: to brake.
  std::uint64_t broken = 0;       ///< The number of one of those.
  RefusedInput refused;           ///< The last motion that could not begin.
};

/// Plays planned motions: takes their pieces ahead of time, and says where the joints are to be.
///
/// Motions have a time of their own: robot time, but no faster than a period a cycle. When the system skips
/// cycles, motions run late by as much (delay_ns()) and nothing jumps; with no motion left they are on time
/// again. A motion is carried out whole or ended whole. One thread; nothing but the constructor allocates.
class SegmentPlayer {
 public:
  /// What `limits` points to must outlive this object, one entry for each position of `model`.
  SegmentPlayer(const RobotModel& model, std::span<const AxisLimits> limits, std::int64_t period_ns);

  /// Takes a piece in whole, or refuses it in whole and changes nothing. `axes`: as of the last cycle.
  /// `writer`: the place of its program on the channel.
  RefusedInput take(const Segment& piece, const JointSmoother& axes, std::uint32_t writer = 0) SINEW_REALTIME;

  /// One cycle on: motions whose time has come begin, others end. `axes`: as of the cycle before.
  PlayerNews advance(const JointSmoother& axes, const Mux& mux, std::int64_t now_ns) SINEW_REALTIME;

  /// The joints that a planned motion moves.
  std::uint64_t running_mask() const SINEW_REALTIME;

  /// The states of those joints in this cycle; the others are left as they are.
  void sample(std::span<AxisState> states) const SINEW_REALTIME;

  /// Ends the motions that have, or are to have, a joint in `mask`. Answers all joints of those that ran.
  std::uint64_t drop(std::uint64_t mask, MotionEnd how) SINEW_REALTIME;
  /// Ends the motions whose newest piece came from `writer`. Answers all joints of those that ran.
  std::uint64_t drop_of(std::uint32_t writer, MotionEnd how) SINEW_REALTIME;

  /// The number of the motion that began last and runs; zero: none.
  std::uint64_t running() const SINEW_REALTIME;
  std::uint64_t ended() const SINEW_REALTIME { return ended_; }
  MotionEnd how_ended() const SINEW_REALTIME { return how_ended_; }
  std::int64_t delay_ns() const SINEW_REALTIME { return delay_ns_; }

  /// See memory.h. Of the pieces only those in use.
  template <class Visit>
  void visit_memory(Visit& visit) SINEW_REALTIME {
    visit(free_);
    visit(motions_);
    visit(time_ns_);
    visit(delay_ns_);
    visit(ended_);
    visit(how_ended_);
    visit(rest_);
    for (const Motion& motion : motions_)
      for (const Slot slot : motion.pieces) visit(slots_[slot]);
  }

 private:
  using Slot = std::uint8_t;
  static_assert(kMostPieces <= 256);

  struct Motion {
    std::uint64_t mask = 0;
    std::int64_t begin_ns = 0;
    std::uint32_t writer = 0;  // of the newest piece
    bool has_begun = false;
    FixedVector<Slot, kMostPieces> pieces;  // in the order of time, never empty
  };
  /// Where the joints are when no motion moves them.
  struct Axes {
    const JointSmoother& smoother;
    std::int64_t at_ns = 0;
  };
  /// A motion that is over, and when its next piece would begin.
  struct Rest {
    std::uint64_t number = 0;
    std::uint64_t mask = 0;
    std::int64_t next_ns = 0;
  };

  RefusedInput check(const Segment& piece, const Motion* continued, const Axes& axes) const SINEW_REALTIME;
  RefusedInput check_turn(const Segment& piece) const SINEW_REALTIME;
  RefusedInput check_joins(const Segment& piece, const Axes& axes) const SINEW_REALTIME;
  RefusedInput check_room(const Segment& piece, const Motion* continued) const SINEW_REALTIME;
  std::optional<AxisState> state_before(std::size_t joint, std::int64_t at_ns,
                                        const Axes& axes) const SINEW_REALTIME;
  std::optional<AxisState> state_of(const Motion& motion, std::size_t joint,
                                    std::int64_t at_ns) const SINEW_REALTIME;
  bool is_rest_of_ended(const Segment& piece, const Motion* continued) const SINEW_REALTIME;
  Motion* find_continued(const Segment& piece) SINEW_REALTIME;
  void add(const Segment& piece, Motion* continued, std::uint32_t writer) SINEW_REALTIME;
  void cut(Motion& motion, std::int64_t at_ns) SINEW_REALTIME;
  Motion* next_due() SINEW_REALTIME;
  void begin(Motion& motion, const Axes& axes, const Mux& mux, PlayerNews& news) SINEW_REALTIME;
  void replace_others(const Motion& motion, PlayerNews& news) SINEW_REALTIME;
  void move_on(PlayerNews& news) SINEW_REALTIME;
  void pass(Motion& motion) SINEW_REALTIME;
  void end(std::size_t motion, MotionEnd how) SINEW_REALTIME;

  const Segment& first(const Motion& motion) const { return slots_[motion.pieces[0]]; }
  const Segment& last(const Motion& motion) const { return slots_[motion.pieces.back()]; }
  Segment& last(Motion& motion) { return slots_[motion.pieces.back()]; }
  bool is_finished(const Motion& motion, std::int64_t at_ns) const;

  SegmentJoints joints_;
  std::span<const AxisLimits> limits_;
  std::int64_t period_ns_;
  std::vector<Segment> slots_;
  FixedVector<Slot, kMostPieces> free_;
  FixedVector<Motion, kMostMotions> motions_;
  std::int64_t time_ns_ = 0;  // of the motions, as of the last cycle
  std::int64_t delay_ns_ = 0;
  std::uint64_t ended_ = 0;
  MotionEnd how_ended_ = MotionEnd::None;
  Rest rest_;
};

}  // namespace sinew
