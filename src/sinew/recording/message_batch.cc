// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/recording/message_batch.h"

#include <algorithm>
#include <utility>

#include "sinew/base/assert.h"

namespace sinew::recording {

TappedMessage MessageBatch::operator[](std::size_t i) const {
  const Entry& entry = entries_[i];
  TappedMessage message = entry.message;
  message.bytes = std::span<const std::byte>(bytes_).subspan(entry.offset, entry.size);
  return message;
}

void MessageBatch::add(const TappedMessage& message) {
  entries_.push_back({.message = message, .offset = bytes_.size(), .size = message.bytes.size()});
  entries_.back().message.bytes = {};
  bytes_.insert(bytes_.end(), message.bytes.begin(), message.bytes.end());
}

void MessageBatch::add_all(const MessageBatch& other) {
  for (std::size_t i = 0; i < other.size(); ++i) add(other[i]);
}

void MessageBatch::clear() {
  bytes_.clear();
  entries_.clear();
}

void MessageBatch::sort_by_time() {
  // stamps of one channel never decrease, so a stable order keeps each channel's own
  std::stable_sort(entries_.begin(), entries_.end(),
                   [](const Entry& a, const Entry& b) { return a.message.stamp_ns < b.message.stamp_ns; });
}

PackedBatch::PackedBatch(const MessageBatch& batch, Compressor& compressor)
    : entries_(batch.entries_), bytes_(batch.bytes_), unpacked_size_(batch.bytes_.size()) {
  SINEW_ASSERT(!entries_.empty());
  const auto packed = compressor.pack(batch.bytes_);
  if (!packed) return;  // kept as it is
  bytes_.assign(packed->begin(), packed->end());
  bytes_.shrink_to_fit();
  compression_ = compressor.compression();
}

MessageBatch PackedBatch::unpacked() const {
  auto bytes = unpack(compression_, bytes_, unpacked_size_);
  SINEW_ASSERT(bytes.has_value());
  MessageBatch batch;
  batch.entries_ = entries_;
  batch.bytes_ = *std::move(bytes);
  return batch;
}

}  // namespace sinew::recording
