// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/motion/motion_in_hand.h"

namespace sinew {

/// The motions in hand, in the order in which they were asked for, and who waits for whom.
///
/// A motion with RequestOrder::After has its turn when all before it are done, whoever asked for them. When
/// one of those fails, it fails as well; so does one that was asked for after a failure that its sender
/// cannot have heard of yet, by its stamp. One thread.
class MotionQueue {
 public:
  static constexpr std::size_t kMostQueued = 64;

  std::vector<MotionInHand>& all() noexcept { return motions_; }
  const std::vector<MotionInHand>& all() const noexcept { return motions_; }

  /// Whether a request that waits for others may join, or why not.
  Status may_wait(const Request& request) const;
  /// Appends it; Queued when it is to wait for others.
  MotionInHand& add(MotionInHand motion);

  /// Whether all that were asked for before `motion`, which is in this queue, are done.
  bool has_turn(const MotionInHand& motion) const;
  /// How many of those are not.
  std::size_t due_before(const MotionInHand& motion) const;
  /// How many wait for their turn.
  std::size_t queued() const;
  /// The oldest that is being carried out; null: none.
  const MotionInHand* oldest() const;

  /// Remembers that `motion` failed, so that what its sender has asked to follow it does not begin.
  void note_failure(const MotionInHand& motion, std::int64_t now_ns);
  /// A request that waits for nobody: its sender begins anew.
  void forgive(std::string_view who);

  /// Forgets the motions that are over.
  void sweep();

 private:
  struct Failure {
    std::string who;
    std::uint64_t number = 0;
    std::string why;
    std::int64_t told_ns = 0;
  };
  static constexpr std::size_t kFailuresKept = 16;  // of so many senders

  std::vector<MotionInHand> motions_;
  std::vector<Failure> failures_;  // the newest of each sender, oldest first
};

/// Why a motion that waited does not begin.
std::string failed_before_words(std::uint64_t number, std::string_view why);

}  // namespace sinew
