// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/channels/channel.h"
#include "sinew/messages/schema.h"

namespace sinew::cli {

/// A channel of any message, read by the schema that it carries.
class UntypedReader {
 public:
  static Result<UntypedReader> open(const std::string& space, const std::string& name, sinew_start start);

  sinew_reader* handle() const { return handle_.get(); }
  const sinew_description& description() const { return description_; }

  /// None when the channel carries bytes without meaning.
  const std::optional<Schema>& schema() const { return schema_; }

  std::byte* buffer() { return buffer_.data(); }
  std::size_t capacity() const { return buffer_.size(); }
  std::span<const std::byte> message(const sinew_frame& frame) const { return {buffer_.data(), frame.size}; }

 private:
  std::unique_ptr<sinew_reader, channels::CloseReader> handle_;
  sinew_description description_{};
  std::optional<Schema> schema_;
  std::vector<std::byte> buffer_;
};

/// From now on Ctrl-C and a polite kill end waiting instead of the process; stop_requested() then says true.
void catch_stop_signals();
bool stop_requested();

/// Waits for a message unseen by `reader`: true when there is one, false when time is up or a stop was asked
/// for.
Result<bool> wait_for_message(const UntypedReader& reader, std::int64_t deadline_ns);

}  // namespace sinew::cli
