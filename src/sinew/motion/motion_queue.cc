// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/motion_queue.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"

namespace sinew {

std::string failed_before_words(std::uint64_t number, std::string_view why) {
  return fmt::format("request {}, before it, failed: {}", number, why);
}

Status MotionQueue::may_wait(const Request& request) const {
  const auto failure = std::ranges::find(failures_, text_of(request.who), &Failure::who);
  if (failure != failures_.end() && request.stamp_ns <= failure->told_ns)
    return Error{ErrorCode::Denied, failed_before_words(failure->number, failure->why)};
  if (queued() < kMostQueued) return Done{};
  return Error{
      ErrorCode::OutOfLimits,
      fmt::format("{} requests wait already, and no more can: ask again when one is done", kMostQueued)};
}

MotionInHand& MotionQueue::add(MotionInHand motion) {
  const bool waits =
      motion.request.order == RequestOrder::After && std::ranges::any_of(motions_, &MotionInHand::is_due);
  motion.stage = waits ? MotionStage::Queued : MotionStage::Waiting;
  return motions_.emplace_back(std::move(motion));
}

bool MotionQueue::has_turn(const MotionInHand& motion) const {
  for (const MotionInHand& other : motions_) {
    if (&other == &motion) return true;
    if (other.is_due() || !other.failure.empty()) return false;
  }
  return true;
}

std::size_t MotionQueue::due_before(const MotionInHand& motion) const {
  std::size_t count = 0;
  for (const MotionInHand& other : motions_) {
    if (&other == &motion) break;
    if (other.is_due()) ++count;
  }
  return count;
}

std::size_t MotionQueue::queued() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      motions_, [](const MotionInHand& m) { return !m.is_over && m.stage == MotionStage::Queued; }));
}

const MotionInHand* MotionQueue::oldest() const {
  const auto found = std::ranges::find_if(
      motions_, [](const MotionInHand& m) { return m.is_due() && m.stage != MotionStage::Queued; });
  return found == motions_.end() ? nullptr : &*found;
}

void MotionQueue::note_failure(const MotionInHand& motion, std::int64_t now_ns) {
  const std::string_view who = text_of(motion.request.who);
  forgive(who);
  if (failures_.size() == kFailuresKept) failures_.erase(failures_.begin());
  failures_.push_back(
      {.who = std::string(who), .number = motion.number, .why = motion.failure, .told_ns = now_ns});
}

void MotionQueue::forgive(std::string_view who) {
  std::erase_if(failures_, [&](const Failure& failure) { return failure.who == who; });
}

void MotionQueue::sweep() {
  std::erase_if(motions_, &MotionInHand::is_over);
}

}  // namespace sinew
