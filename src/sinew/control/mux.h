// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sinew/base/realtime.h"
#include "sinew/messages/joints.h"
#include "sinew/messages/safety.h"
#include "sinew/model/robot_model.h"

namespace sinew {

/// Programs that may command one robot at the same time.
inline constexpr std::size_t kMaxSources = 16;

/// The planned motions of the channel `segments`, as a source among those of `ref/…`.
inline constexpr std::size_t kSegmentSource = kMaxSources;

/// No program: the joint stays where it is.
inline constexpr std::uint8_t kNoSource = 255;

/// Why an input was not taken, in numbers; the words are made outside the cycle.
struct RefusedInput {
  Refusal refusal = Refusal::None;
  std::size_t joint = 0;
  double value = 0.0;  ///< As `quantity` says.
  double bound = 0.0;
  Quantity quantity = Quantity::Position;
  std::uint64_t motion = 0;  ///< Of a segment.

  explicit operator bool() const noexcept { return refusal != Refusal::None; }
};

/// What is wanted of every joint.
struct Wish {
  JointArray position{};                          ///< [rad, m] Where there is a source.
  std::array<Smoothing, kMaxJoints> smoothing{};  ///< How to go there.
  std::array<std::uint8_t, kMaxJoints> source{};  ///< Who wants it; kNoSource: nobody.
  std::uint64_t new_mask = 0;                     ///< Bit i: given since the last choose().
  std::uint64_t silent_mask = 0;                  ///< Bit i: its stream fell silent; it is to stop.
};

/// Joins the wishes of several programs into one.
///
/// Joints that a reference does not name keep what they had. On one joint the newest reference wins, unless a
/// source of higher priority has a live wish there: a stream whose lease runs, or a target that the joint has
/// not reached. A reference that is refused changes nothing. One thread; allocates nothing.
class Mux {
 public:
  /// `model` must outlive this object.
  explicit Mux(const RobotModel& model);

  /// Larger wins; zero for all at first.
  void set_priority(std::size_t source, int priority) SINEW_REALTIME { priorities_[source] = priority; }

  /// Takes a reference in whole, or refuses it in whole.
  RefusedInput take(std::size_t source, const JointReference& reference, std::int64_t now_ns) SINEW_REALTIME;

  /// Makes `position` the wish of `source` for joint i, unchecked: where a planned motion begins.
  void set(std::size_t source, std::size_t joint, double position) SINEW_REALTIME;

  /// The same wish a cycle later: a planned motion has come to `position`. Nothing when another source has
  /// taken the joint.
  void move_on(std::size_t source, std::size_t joint, double position) SINEW_REALTIME {
    if (wish_.source[joint] == source) wish_.position[joint] = position;
  }

  /// What is wanted now. `arrived_mask`: the joints that rest where they were wanted.
  const Wish& choose(std::uint64_t arrived_mask, std::int64_t now_ns) SINEW_REALTIME;

  /// As of the last choose().
  const Wish& wish() const SINEW_REALTIME { return wish_; }

  /// Nobody wants anything of the joints in `mask` any more.
  void forget(std::uint64_t mask) SINEW_REALTIME;

  /// See memory.h.
  template <class Visit>
  void visit_memory(Visit& visit) SINEW_REALTIME {
    visit(priorities_);
    visit(ends_ns_);
    visit(arrived_mask_);
    visit(untold_mask_);
    visit(wish_);
  }

  /// True when `source` may command the joints in `mask` now.
  bool may_command(std::size_t source, std::uint64_t mask, std::int64_t now_ns) const SINEW_REALTIME;
  /// True while `source` has a live wish for a joint.
  bool is_commanded_by(std::size_t source, std::int64_t now_ns) const SINEW_REALTIME;

 private:
  RefusedInput check(std::size_t source, const JointReference& reference, std::int64_t now_ns) const;
  RefusedInput check_joint(std::size_t joint, double position) const;
  bool is_live(std::size_t joint, std::int64_t now_ns) const;

  const RobotModel& model_;
  std::uint64_t joints_mask_ = 0;
  std::uint64_t enabled_mask_ = 0;
  std::array<int, kMaxSources + 1> priorities_{};
  std::array<std::int64_t, kMaxJoints> ends_ns_{};  // of leases; 0: a target
  std::uint64_t arrived_mask_ = 0;
  std::uint64_t untold_mask_ = 0;  // taken since the last choose()
  Wish wish_;
};

}  // namespace sinew
