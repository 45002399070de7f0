// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The put of ring.h, in a header so that a test can compile it with a probe between its steps.

#include <algorithm>
#include <atomic>

#include "sinew/channels/ring.h"
#include "sinew/channels/shared_copy.h"

namespace sinew::channels {

template <class Probe>
void RingWriter::fill(const void* data, std::size_t size, Probe probe) SINEW_REALTIME {
  const std::uint32_t slot_number = first_slot_ + turn_;
  SlotHeader& slot = memory_.slot(slot_number);

  // what publish() will look at comes while the message is copied
  const std::uint64_t head = memory_.header().head.load(std::memory_order_relaxed);
  __builtin_prefetch(&memory_.index(sequence_of(head) + 1), 1);
  __builtin_prefetch(&memory_.slot(slot_of(head)));

  // whoever still reads the message that was here must notice before any of it changes
  slot.sequence.store(0, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  probe(PutStep::SlotMarked);

  const std::size_t half = size / 16 * 8;
  copy_to_shared(memory_.payload(slot_number), data, half);
  probe(PutStep::HalfCopied);
  copy_to_shared(memory_.payload(slot_number) + half / 8, static_cast<const char*>(data) + half, size - half);
  slot.size.store(static_cast<std::uint32_t>(size), std::memory_order_relaxed);
  slot.sender_pid.store(sender_pid_, std::memory_order_relaxed);
  probe(PutStep::Copied);
}

template <class Probe>
std::uint64_t RingWriter::publish(const Stamps& stamps, Probe probe) SINEW_REALTIME {
  const std::uint32_t slot_number = first_slot_ + turn_;
  SlotHeader& slot = memory_.slot(slot_number);
  slot.wall_ns.store(stamps.wall_ns, std::memory_order_relaxed);
  const std::uint64_t sequence = enter(slot, slot_number, stamps.monotonic_ns, probe);
  if (sequence != 0) turn_ = turn_ == memory_.layout.depth ? 0 : turn_ + 1;
  return sequence;
}

template <class Probe>
std::uint64_t RingWriter::enter(SlotHeader& slot, std::uint32_t slot_number, std::int64_t stamp_ns,
                                Probe probe) SINEW_REALTIME {
  constexpr int kMostContradictions = 1000;
  AtomicU64& head_word = memory_.header().head;
  std::uint64_t last_head = 0;
  for (int contradictions = 0; contradictions < kMostContradictions;) {
    std::uint64_t head = head_word.load(std::memory_order_acquire);
    const std::uint64_t sequence = sequence_of(head) + 1;
    AtomicU64& entry = memory_.index(sequence);
    std::uint64_t replaced = entry.load(std::memory_order_acquire);

    // somebody has published this number and did not get to say so: say it for them
    if (sequence_of(replaced) == sequence) {
      head_word.compare_exchange_strong(head, replaced, std::memory_order_seq_cst);
      continue;
    }
    // an entry of any other age means that `head` has moved on since it was read, or that the file is spoiled
    const std::uint64_t expected = sequence > memory_.layout.depth ? sequence - memory_.layout.depth : 0;
    if (sequence_of(replaced) != expected) {
      contradictions = head == last_head ? contradictions + 1 : 0;
      last_head = head;
      continue;
    }

    slot.stamp_ns.store(std::max(stamp_ns, stamp_of(head)), std::memory_order_relaxed);
    slot.sequence.store(sequence, std::memory_order_release);
    probe(PutStep::Numbered);
    const std::uint64_t published = pack(sequence, slot_number);
    if (!entry.compare_exchange_strong(replaced, published, std::memory_order_acq_rel)) continue;
    probe(PutStep::Indexed);
    head_word.compare_exchange_strong(head, published, std::memory_order_seq_cst);
    probe(PutStep::Published);
    return sequence;
  }
  return 0;
}

}  // namespace sinew::channels
