// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "sinew/base/realtime.h"
#include "sinew/channels/layout.h"

namespace sinew::channels {

// How messages pass through shared memory. Nothing here makes a system call, allocates, or waits.
//
// Every writer has depth + 1 slots of its own and fills them in turn. With at most `depth` messages in the
// index, the slot whose turn it is holds none of them, so a writer always has a free slot and nobody else
// ever writes it: a writer that is stopped in the middle, for however long, can spoil nothing when it goes
// on.
//
//   put:   slot.sequence = 0, copy, slot.sequence = n, index[n mod depth] = (n, slot), head = (n, slot)
//
// The message exists from the instant its index entry is set, by compare-and-swap from the entry it replaces
// (n - depth). A writer that dies before leaves a slot that nobody looks at. One that dies after has
// published; the next writer sees the entry and moves `head` on for it. So numbers have no gaps, order is
// total, and a writer repeats a step only when another writer has got a message through.
//
//   read:  take (n, slot) from head or index, slot.sequence == n?, copy, slot.sequence == n still?
//
// A reader only looks. The check fails only when `depth` newer messages came while it copied.

/// The steps of a put at which a test may stop the writer.
enum class PutStep { SlotMarked, HalfCopied, Copied, Numbered, Indexed, Published };

/// Called between the steps of a put; the default does nothing and costs nothing.
struct NoProbe {
  void operator()(PutStep) const noexcept {}
};

/// When a message was put.
struct Stamps {
  std::int64_t monotonic_ns = 0;
  std::int64_t wall_ns = 0;
};

/// A message in its ring, as far as its slot tells.
struct RingFrame {
  std::uint64_t sequence = 0;
  std::int64_t stamp_ns = 0;
  std::int64_t wall_ns = 0;
  std::uint32_t size = 0;
  std::uint32_t sender_pid = 0;
  std::uint32_t writer = 0;
};

/// What became of a read.
enum class ReadOutcome {
  Ok,
  NotYet,    ///< No such number has been put.
  Gone,      ///< Overwritten by newer messages.
  TooSmall,  ///< The buffer; the frame's size says what it takes.
};

/// The parts of a mapped channel file. The memory must outlive this and all views made from it.
struct RingMemory {
  std::byte* start = nullptr;  ///< Mapped read-only for readers, who only look.
  Layout layout;

  ChannelHeader& header() const { return *reinterpret_cast<ChannelHeader*>(start); }
  WriterPlace& place(std::uint32_t writer) const {
    return reinterpret_cast<WriterPlace*>(start + layout.writers_offset())[writer];
  }
  AtomicU64& index(std::uint64_t sequence) const {
    return reinterpret_cast<AtomicU64*>(start + layout.index_offset())[sequence & (layout.depth - 1)];
  }
  SlotHeader& slot(std::uint32_t number) const {
    return *reinterpret_cast<SlotHeader*>(start + layout.slots_offset() + number * layout.slot_stride());
  }
  AtomicU64* payload(std::uint32_t number) const {
    return reinterpret_cast<AtomicU64*>(&slot(number)) + sizeof(SlotHeader) / sizeof(AtomicU64);
  }
  const char* schema() const { return reinterpret_cast<const char*>(start + layout.schema_offset()); }
};

/// Puts messages from one writer's place. One thread.
class RingWriter {
 public:
  RingWriter() = default;

  /// For a place that the caller owns. Goes on where the place's last owner left off, dead or not.
  RingWriter(const RingMemory& memory, std::uint32_t place, std::uint32_t sender_pid);

  /// Puts `size` bytes, at most the capacity. Answers the message's number, or 0 when the ring's words
  /// contradict each other, which only a stray write can bring about.
  template <class Probe = NoProbe>
  std::uint64_t put(const void* data, std::size_t size, const Stamps& stamps,
                    Probe probe = {}) SINEW_REALTIME {
    fill(data, size, probe);
    return publish(stamps, probe);
  }

  /// The first half of a put: copies into the slot whose turn it is. Nobody sees it yet.
  template <class Probe = NoProbe>
  void fill(const void* data, std::size_t size, Probe probe = {}) SINEW_REALTIME;

  /// The second half: what fill() copied becomes the newest message. To read the clock between the halves
  /// costs nothing, for meanwhile the copy is on its way out of the core.
  template <class Probe = NoProbe>
  std::uint64_t publish(const Stamps& stamps, Probe probe = {}) SINEW_REALTIME;

 private:
  template <class Probe>
  std::uint64_t enter(SlotHeader& slot, std::uint32_t slot_number, std::int64_t stamp_ns,
                      Probe probe) SINEW_REALTIME;
  std::int64_t stamp_of(std::uint64_t word) const SINEW_REALTIME;

  RingMemory memory_;
  std::uint32_t first_slot_ = 0;
  std::uint32_t turn_ = 0;  ///< Which of this place's slots comes next.
  std::uint32_t sender_pid_ = 0;
};

/// Reads messages; any number of threads, each with its own cursor in the caller's hands.
class RingReader {
 public:
  RingReader() = default;
  explicit RingReader(const RingMemory& memory) : memory_(memory) {}

  /// Number of the newest message; 0 when there is none.
  std::uint64_t newest_sequence() const SINEW_REALTIME {
    return sequence_of(memory_.header().head.load(std::memory_order_acquire));
  }

  /// Number of the oldest message that is still kept, at this instant.
  std::uint64_t oldest_sequence() const SINEW_REALTIME;

  /// The newest message. Gone only when a whole ring of newer ones overtook every one of several attempts.
  ReadOutcome read_newest(void* buffer, std::size_t size, RingFrame& frame) const SINEW_REALTIME;

  /// The oldest message after number `seen` that is still kept.
  ReadOutcome read_after(std::uint64_t seen, void* buffer, std::size_t size,
                         RingFrame& frame) const SINEW_REALTIME;

  /// Message number `sequence`.
  ReadOutcome read_sequence(std::uint64_t sequence, void* buffer, std::size_t size,
                            RingFrame& frame) const SINEW_REALTIME;

  /// The last message put at or before `stamp_ns`; Gone when those kept are all younger.
  ReadOutcome read_at(std::int64_t stamp_ns, void* buffer, std::size_t size,
                      RingFrame& frame) const SINEW_REALTIME;

 private:
  ReadOutcome read_slot(std::uint64_t word, void* buffer, std::size_t size,
                        RingFrame& frame) const SINEW_REALTIME;
  bool is_after(std::uint64_t sequence, std::int64_t stamp_ns) const SINEW_REALTIME;

  RingMemory memory_;
};

}  // namespace sinew::channels

#include "sinew/channels/ring_put.h"
