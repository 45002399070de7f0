// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sinew/recording/compression.h"
#include "sinew/recording/mcap_records.h"

namespace sinew::recording {

/// A channel that is followed. A channel that was removed and made anew is another one.
struct TappedChannel {
  std::size_t number = 0;    ///< In the order of discovery.
  std::string name;          ///< Such as "mds/state".
  std::string schema;        ///< Text; empty: bytes without meaning.
  std::string message_name;  ///< Such as "JointState".
  std::uint32_t capacity = 0;
  std::uint32_t depth = 0;
  std::uint32_t writers = 0;
  std::uint32_t mode = 0;  ///< Rights of its file.
};

/// A message as it was read. Channel and bytes are lent.
struct TappedMessage {
  const TappedChannel* channel = nullptr;
  std::uint64_t sequence = 0;  ///< The channel's own number.
  std::int64_t stamp_ns = 0;   ///< When it was put (monotonic).
  std::uint64_t missed = 0;    ///< Messages of this channel between the one before and this one. Exact.
  std::span<const std::byte> bytes;
};

/// Messages with their bytes in one piece of memory. Their channels must outlive it.
class MessageBatch {
 public:
  std::size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }

  /// Memory that the messages take [bytes].
  std::size_t memory() const { return bytes_.size() + entries_.size() * sizeof(Entry); }

  TappedMessage operator[](std::size_t i) const;
  void add(const TappedMessage& message);
  void add_all(const MessageBatch& other);
  void clear();

  /// By the time they were put; those of one channel stay in their order.
  void sort_by_time();

 private:
  friend class PackedBatch;
  struct Entry {
    TappedMessage message;  ///< Its bytes are where offset and size say.
    std::size_t offset = 0;
    std::size_t size = 0;
  };
  Buffer bytes_;
  std::vector<Entry> entries_;
};

/// A batch put away: its bytes are packed, and it never changes.
class PackedBatch {
 public:
  /// `batch` holds at least one message; they are by time.
  PackedBatch(const MessageBatch& batch, Compressor& compressor);

  std::int64_t first_ns() const { return entries_.front().message.stamp_ns; }
  std::int64_t last_ns() const { return entries_.back().message.stamp_ns; }

  /// Memory that it takes [bytes].
  std::size_t memory() const { return bytes_.size() + entries_.size() * sizeof(MessageBatch::Entry); }

  MessageBatch unpacked() const;

 private:
  std::vector<MessageBatch::Entry> entries_;
  Buffer bytes_;
  std::size_t unpacked_size_ = 0;
  Compression compression_ = Compression::None;
};

}  // namespace sinew::recording
