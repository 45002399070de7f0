// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "sinew/base/result.h"

namespace sinew::channels {

// The bytes of a channel file, the same on every machine and in 32- and 64-bit processes:
//
//   ChannelHeader | WriterPlace × writers | index: u64 × depth | schema text | slots × writers × (depth + 1)
//
// A slot is a SlotHeader and the payload. Slots belong to a writer's place for good; the index says which
// slot holds message number n, at n mod depth. ring.h tells how they are used.

inline constexpr std::uint64_t kMagic = 0x31484357454e4953;  // "SINEWCH1" as bytes in the file
inline constexpr std::uint32_t kAbiVersion = 1;
inline constexpr std::uint32_t kEndianMark = 0x01020304;

inline constexpr std::uint32_t kMaxDepth = 32768;
inline constexpr std::uint32_t kMaxWriters = 1024;
inline constexpr std::uint32_t kMaxSlots = 65535;
inline constexpr std::uint32_t kMaxCapacity = 256U << 20;
inline constexpr std::uint64_t kMaxFileSize = 1ULL << 40;

using AtomicU32 = std::atomic<std::uint32_t>;
using AtomicU64 = std::atomic<std::uint64_t>;
using AtomicI64 = std::atomic<std::int64_t>;
static_assert(AtomicU32::is_always_lock_free && AtomicU64::is_always_lock_free && sizeof(AtomicU64) == 8,
              "atomics in shared memory must not need a lock");

/// The start of the file. All but `head`, `removed` and `sole_writer` is written once, before anybody else
/// can open the file.
struct alignas(128) ChannelHeader {
  std::uint64_t magic;
  std::uint32_t abi_version;
  std::uint32_t endian_mark;
  std::uint64_t channel_id;  ///< Random: two channels of one name are two channels.
  std::uint64_t file_size;
  std::uint32_t depth;        ///< Messages kept; a power of two.
  std::uint32_t writers;      ///< Places for writers.
  std::uint32_t capacity;     ///< Largest message [bytes].
  std::uint32_t schema_size;  ///< [bytes], without the zero byte at its end.
  std::uint64_t schema_hash;
  std::int64_t created_wall_ns;
  std::uint32_t creator_pid;
  std::uint32_t message_version;
  std::array<char, 64> message_name;
  std::array<char, 32> creator_name;
  std::array<char, 16> creator_version;  ///< Of the library that made the file.
  AtomicU32 removed;                     ///< 1: unlinked; whoever has it open should open it again by name.
  std::array<char, 4> padding;
  AtomicU64 sole_writer;  ///< ProcessKey of the one who writes alone; 0: whoever finds a place may write.
  std::array<char, 48> reserved;

  /// Number of the newest message and the slot that holds it (see pack()); also the word that readers sleep
  /// on.
  alignas(128) AtomicU64 head;
};
static_assert(offsetof(ChannelHeader, magic) == 0 && offsetof(ChannelHeader, abi_version) == 8 &&
              offsetof(ChannelHeader, endian_mark) == 12 && offsetof(ChannelHeader, channel_id) == 16 &&
              offsetof(ChannelHeader, file_size) == 24 && offsetof(ChannelHeader, depth) == 32 &&
              offsetof(ChannelHeader, writers) == 36 && offsetof(ChannelHeader, capacity) == 40 &&
              offsetof(ChannelHeader, schema_size) == 44 && offsetof(ChannelHeader, schema_hash) == 48 &&
              offsetof(ChannelHeader, created_wall_ns) == 56 && offsetof(ChannelHeader, creator_pid) == 64 &&
              offsetof(ChannelHeader, message_version) == 68 && offsetof(ChannelHeader, message_name) == 72 &&
              offsetof(ChannelHeader, creator_name) == 136 &&
              offsetof(ChannelHeader, creator_version) == 168 && offsetof(ChannelHeader, removed) == 184 &&
              offsetof(ChannelHeader, sole_writer) == 192 && offsetof(ChannelHeader, head) == 256 &&
              sizeof(ChannelHeader) == 384);

/// One writer's place. `owner` decides who may write its slots; the rest is for people.
struct alignas(128) WriterPlace {
  AtomicU64 owner;  ///< ProcessKey of the writer; 0: free.
  AtomicU64 puts;   ///< Messages put by this writer.
  std::int64_t since_wall_ns;
  std::array<char, 32> name;
  std::array<char, 72> reserved;
};
static_assert(offsetof(WriterPlace, owner) == 0 && offsetof(WriterPlace, puts) == 8 &&
              offsetof(WriterPlace, since_wall_ns) == 16 && offsetof(WriterPlace, name) == 24 &&
              sizeof(WriterPlace) == 128);

/// What stands before each payload.
struct alignas(64) SlotHeader {
  AtomicU64 sequence;  ///< Number of the message here; 0 while it is being written.
  AtomicI64 stamp_ns;
  AtomicI64 wall_ns;
  AtomicU32 size;  ///< [bytes]
  AtomicU32 sender_pid;
};
static_assert(offsetof(SlotHeader, sequence) == 0 && offsetof(SlotHeader, stamp_ns) == 8 &&
              offsetof(SlotHeader, wall_ns) == 16 && offsetof(SlotHeader, size) == 24 &&
              offsetof(SlotHeader, sender_pid) == 28 && sizeof(SlotHeader) == 64);

/// Number and slot of a message in one word. The number stands in the low 48 bits, so the low half of the
/// word changes with every message and serves as futex; at a million messages a second it lasts for nine
/// years.
inline constexpr int kSequenceBits = 48;
constexpr std::uint64_t pack(std::uint64_t sequence, std::uint32_t slot) {
  return sequence | static_cast<std::uint64_t>(slot) << kSequenceBits;
}
constexpr std::uint64_t sequence_of(std::uint64_t word) {
  return word & ((1ULL << kSequenceBits) - 1);
}
constexpr std::uint32_t slot_of(std::uint64_t word) {
  return static_cast<std::uint32_t>(word >> kSequenceBits);
}

/// Where the parts of a channel file begin.
struct Layout {
  std::uint32_t depth = 0;
  std::uint32_t writers = 0;
  std::uint32_t capacity = 0;
  std::uint32_t schema_size = 0;

  std::uint32_t slots_per_writer() const { return depth + 1; }
  std::uint32_t slot_count() const { return writers * slots_per_writer(); }
  std::uint64_t slot_stride() const { return sizeof(SlotHeader) + (std::uint64_t{capacity} + 63) / 64 * 64; }
  std::uint64_t writers_offset() const { return sizeof(ChannelHeader); }
  std::uint64_t index_offset() const {
    return writers_offset() + std::uint64_t{writers} * sizeof(WriterPlace);
  }
  std::uint64_t schema_offset() const { return index_offset() + std::uint64_t{depth} * 8; }
  std::uint64_t slots_offset() const { return (schema_offset() + schema_size + 1 + 4095) / 4096 * 4096; }
  std::uint64_t file_size() const { return slots_offset() + slot_count() * slot_stride(); }
};

/// A layout within all bounds, or which bound it breaks.
Status check_layout(const Layout& layout);

/// Reads the layout from the start of a file of `file_size` bytes that may hold anything.
Result<Layout> read_layout(const ChannelHeader& header, std::uint64_t file_size);

}  // namespace sinew::channels
