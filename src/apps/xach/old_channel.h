// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>

#include <fmt/format.h>

#include "sinew/base/result.h"

#include "ach.h"

namespace sinew {

/// An Ach channel that carries one of MDS-Ach's structs. One thread.
template <class Struct>
class OldChannel {
 public:
  /// Opens the channel, and makes it when it is missing. What is on it already counts as seen.
  static Result<OldChannel> open(const char* name) {
    // as many and as large as MDS-Ach made them
    const ach_status made = ach_create(name, 10, 3000, nullptr);
    if (made != ACH_OK && made != ACH_EEXIST) return error(name, "made", made);
    auto handle = std::unique_ptr<ach_channel_t, Close>(new ach_channel_t{});
    if (const ach_status status = ach_open(handle.get(), name, nullptr); status != ACH_OK)
      return error(name, "opened", status);
    static_cast<void>(ach_flush(handle.get()));
    return OldChannel(std::move(handle));
  }

  /// The oldest frame not seen; false when there is none. Frames of another size are passed over.
  bool next(Struct& frame) {
    for (;;) {
      std::size_t size = 0;
      const ach_status status = ach_get(handle_.get(), &frame, sizeof frame, &size, nullptr, 0);
      const bool is_there = status == ACH_OK || status == ACH_MISSED_FRAME;
      if (is_there && size == sizeof frame) return true;
      if (status == ACH_OVERFLOW) static_cast<void>(ach_flush(handle_.get()));
      if (!is_there) return false;
    }
  }

  void put(const Struct& frame) { static_cast<void>(ach_put(handle_.get(), &frame, sizeof frame)); }

 private:
  struct Close {
    void operator()(ach_channel_t* channel) const noexcept {
      static_cast<void>(ach_close(channel));
      delete channel;
    }
  };

  explicit OldChannel(std::unique_ptr<ach_channel_t, Close> handle) : handle_(std::move(handle)) {}
  static Error error(const char* name, const char* doing, ach_status status) {
    return {ErrorCode::SystemFailure, fmt::format("the Ach channel '{}' cannot be {}: {} ({})", name, doing,
                                                  ach_result_to_string(status), ach_errstr())};
  }

  std::unique_ptr<ach_channel_t, Close> handle_;
};

}  // namespace sinew
