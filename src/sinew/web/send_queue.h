// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>

#include "sinew/web/socket.h"

namespace sinew::web {

/// Messages that wait to be sent to one client, bounded. Those of stream 0 are all kept, in their order. Of
/// any other stream the newest counts: it takes the place of the one before it, and that place in the queue.
class SendQueue {
 public:
  struct Bounds {
    std::size_t most_messages = 256;     ///< Of stream 0; and as many other streams.
    std::size_t most_bytes = 4U << 20U;  ///< Of stream 0.
  };
  SendQueue() = default;
  explicit SendQueue(const Bounds& bounds) : bounds_(bounds) {}

  /// False: it is full, and the message is not in it.
  [[nodiscard]] bool push(SocketMessage message, std::uint32_t stream) {
    if (stream != 0) {
      const auto before = std::ranges::find(waiting_, stream, &Waiting::stream);
      if (before != waiting_.end()) {
        before->message = std::move(message);
        return true;
      }
    }
    std::size_t& count = stream == 0 ? ordered_count_ : stream_count_;
    const std::size_t bytes = stream == 0 ? message.bytes.size() : 0;
    if (count >= bounds_.most_messages || bytes > bounds_.most_bytes - ordered_bytes_) return false;
    ++count;
    ordered_bytes_ += bytes;
    waiting_.push_back({stream, std::move(message)});
    return true;
  }

  /// The next one, no longer in the queue.
  std::optional<SocketMessage> pop() {
    if (waiting_.empty()) return std::nullopt;
    const Waiting first = std::move(waiting_.front());
    waiting_.pop_front();
    --(first.stream == 0 ? ordered_count_ : stream_count_);
    if (first.stream == 0) ordered_bytes_ -= first.message.bytes.size();
    return first.message;
  }

  void clear() { *this = SendQueue(bounds_); }
  bool is_empty() const { return waiting_.empty(); }

 private:
  struct Waiting {
    std::uint32_t stream = 0;
    SocketMessage message;
  };
  Bounds bounds_;
  std::deque<Waiting> waiting_;
  std::size_t ordered_count_ = 0;
  std::size_t ordered_bytes_ = 0;
  std::size_t stream_count_ = 0;
};

}  // namespace sinew::web
