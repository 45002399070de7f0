// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/channels/ring.h"

#include <algorithm>
#include <limits>

#include "sinew/channels/shared_copy.h"

namespace sinew::channels {
namespace {

// how often a reader starts anew after being overtaken by a whole ring; each time is already rare
constexpr int kAttempts = 16;

}  // namespace

RingWriter::RingWriter(const RingMemory& memory, std::uint32_t place, std::uint32_t sender_pid)
    : memory_(memory), first_slot_(place * memory.layout.slots_per_writer()), sender_pid_(sender_pid) {
  // the turn goes on after the newest message that is still held by one of this place's slots
  std::uint64_t newest = 0;
  const auto consider = [&](std::uint64_t word) {
    const std::uint32_t turn = slot_of(word) - first_slot_;
    if (sequence_of(word) <= newest || turn > memory.layout.depth) return;
    newest = sequence_of(word);
    turn_ = turn == memory.layout.depth ? 0 : turn + 1;
  };
  for (std::uint64_t i = 0; i < memory.layout.depth; ++i)
    consider(memory.index(i).load(std::memory_order_acquire));

  // readers find the newest through `head`, which in a ring of depth 1 may be the message before the one in
  // the index: moved on if a last owner who died did not get to it, and then considered too
  AtomicU64& head_word = memory.header().head;
  std::uint64_t head = head_word.load(std::memory_order_acquire);
  const std::uint64_t successor = memory.index(sequence_of(head) + 1).load(std::memory_order_acquire);
  if (sequence_of(successor) == sequence_of(head) + 1)
    head_word.compare_exchange_strong(head, successor, std::memory_order_seq_cst);
  consider(head_word.load(std::memory_order_acquire));
}

// stamps must not decrease from message to message, whatever the writers' clocks and delays
std::int64_t RingWriter::stamp_of(std::uint64_t word) const SINEW_REALTIME {
  if (sequence_of(word) == 0 || slot_of(word) >= memory_.layout.slot_count())
    return std::numeric_limits<std::int64_t>::min();
  return memory_.slot(slot_of(word)).stamp_ns.load(std::memory_order_relaxed);
}

std::uint64_t RingReader::oldest_sequence() const SINEW_REALTIME {
  const std::uint64_t newest = newest_sequence();
  return newest > memory_.layout.depth ? newest - memory_.layout.depth + 1
                                       : std::min<std::uint64_t>(newest, 1);
}

ReadOutcome RingReader::read_newest(void* buffer, std::size_t size, RingFrame& frame) const SINEW_REALTIME {
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const std::uint64_t head = memory_.header().head.load(std::memory_order_acquire);
    if (sequence_of(head) == 0) return ReadOutcome::NotYet;
    const ReadOutcome outcome = read_slot(head, buffer, size, frame);
    if (outcome != ReadOutcome::Gone) return outcome;
  }
  return ReadOutcome::Gone;
}

ReadOutcome RingReader::read_after(std::uint64_t seen, void* buffer, std::size_t size,
                                   RingFrame& frame) const SINEW_REALTIME {
  std::uint64_t wanted = seen + 1;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const ReadOutcome outcome = read_sequence(wanted, buffer, size, frame);
    if (outcome != ReadOutcome::Gone) return outcome;
    // overtaken: to the oldest kept, then with growing distance from it, for the oldest is the next to go
    const std::uint64_t newest = newest_sequence();
    const std::uint64_t margin = attempt == 0 ? 0 : memory_.layout.depth >> std::max(0, 4 - attempt);
    wanted = std::max(wanted + 1, std::min(newest, oldest_sequence() + margin));
  }
  return ReadOutcome::Gone;
}

ReadOutcome RingReader::read_sequence(std::uint64_t sequence, void* buffer, std::size_t size,
                                      RingFrame& frame) const SINEW_REALTIME {
  const std::uint64_t head = memory_.header().head.load(std::memory_order_acquire);
  if (sequence > sequence_of(head)) return ReadOutcome::NotYet;
  // the newest is taken from `head`: in a ring of depth 1 its successor's writer, if it died or stopped
  // before it moved `head`, has already taken its place in the index
  const std::uint64_t word =
      sequence == sequence_of(head) ? head : memory_.index(sequence).load(std::memory_order_acquire);
  if (sequence == 0 || sequence_of(word) != sequence) return ReadOutcome::Gone;
  return read_slot(word, buffer, size, frame);
}

bool RingReader::is_after(std::uint64_t sequence, std::int64_t stamp_ns) const SINEW_REALTIME {
  const std::uint64_t word = memory_.index(sequence).load(std::memory_order_acquire);
  if (sequence_of(word) != sequence || slot_of(word) >= memory_.layout.slot_count()) return false;
  const SlotHeader& slot = memory_.slot(slot_of(word));
  const bool is_younger = slot.stamp_ns.load(std::memory_order_acquire) > stamp_ns;
  return slot.sequence.load(std::memory_order_relaxed) == sequence && is_younger;
}

ReadOutcome RingReader::read_at(std::int64_t stamp_ns, void* buffer, std::size_t size,
                                RingFrame& frame) const SINEW_REALTIME {
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    std::uint64_t first = oldest_sequence();
    std::uint64_t end = newest_sequence() + 1;
    if (end == 1) return ReadOutcome::NotYet;
    const std::uint64_t oldest = first;
    // stamps never decrease: halve the range until `first` is the first message after the time asked for
    while (first < end) {
      const std::uint64_t middle = first + (end - first) / 2;
      if (is_after(middle, stamp_ns)) {
        end = middle;
      } else {
        first = middle + 1;
      }
    }
    if (first == oldest) return ReadOutcome::Gone;
    const ReadOutcome outcome = read_sequence(first - 1, buffer, size, frame);
    if (outcome != ReadOutcome::Gone) return outcome;
  }
  return ReadOutcome::Gone;
}

ReadOutcome RingReader::read_slot(std::uint64_t word, void* buffer, std::size_t size,
                                  RingFrame& frame) const SINEW_REALTIME {
  const std::uint64_t sequence = sequence_of(word);
  const std::uint32_t slot_number = slot_of(word);
  if (slot_number >= memory_.layout.slot_count()) return ReadOutcome::Gone;
  const SlotHeader& slot = memory_.slot(slot_number);
  if (slot.sequence.load(std::memory_order_acquire) != sequence) return ReadOutcome::Gone;

  frame.sequence = sequence;
  frame.stamp_ns = slot.stamp_ns.load(std::memory_order_relaxed);
  frame.wall_ns = slot.wall_ns.load(std::memory_order_relaxed);
  frame.size = std::min(slot.size.load(std::memory_order_relaxed), memory_.layout.capacity);
  frame.sender_pid = slot.sender_pid.load(std::memory_order_relaxed);
  frame.writer = slot_number / memory_.layout.slots_per_writer();
  const bool fits = frame.size <= size;
  if (fits) copy_from_shared(buffer, memory_.payload(slot_number), frame.size);

  std::atomic_thread_fence(std::memory_order_acquire);
  if (slot.sequence.load(std::memory_order_relaxed) != sequence) return ReadOutcome::Gone;
  return fits ? ReadOutcome::Ok : ReadOutcome::TooSmall;
}

}  // namespace sinew::channels
