// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include "sinew/base/hash.h"
#include "sinew/base/realtime.h"

// What a part of the controller remembers from one cycle to the next, as bytes and back. Such a part has a
// function visit_memory(visit) that names every member that a cycle may change, in a fixed order.

namespace sinew {

/// Copies values into bytes, one after the other, and makes a fingerprint of their sizes.
class MemoryWriter {
 public:
  explicit MemoryWriter(std::span<std::byte> bytes) SINEW_REALTIME : bytes_(bytes) {}

  template <class Value>
  void operator()(const Value& value) SINEW_REALTIME {
    static_assert(std::is_trivially_copyable_v<Value>);
    layout_ = (layout_ ^ sizeof value) * 0x100000001b3U;
    fits_ = fits_ && sizeof value <= bytes_.size() - used_;
    if (!fits_) return;
    std::memcpy(bytes_.data() + used_, &value, sizeof value);
    used_ += sizeof value;
  }

  /// Bytes in use; zero when they did not fit.
  std::size_t size() const SINEW_REALTIME { return fits_ ? used_ : 0; }
  std::uint64_t layout() const SINEW_REALTIME { return layout_; }

 private:
  std::span<std::byte> bytes_;
  std::size_t used_ = 0;
  std::uint64_t layout_ = kHashStart;
  bool fits_ = true;
};

/// Copies them back.
class MemoryReader {
 public:
  explicit MemoryReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <class Value>
  void operator()(Value& value) {
    static_assert(std::is_trivially_copyable_v<Value>);
    layout_ = (layout_ ^ sizeof value) * 0x100000001b3U;
    fits_ = fits_ && sizeof value <= bytes_.size();
    if (!fits_) return;
    std::memcpy(&value, bytes_.data(), sizeof value);
    bytes_ = bytes_.subspan(sizeof value);
  }

  /// True when the bytes were all used and their fingerprint is `layout`.
  bool is_whole(std::uint64_t layout) const { return fits_ && bytes_.empty() && layout_ == layout; }

 private:
  std::span<const std::byte> bytes_;
  std::uint64_t layout_ = kHashStart;
  bool fits_ = true;
};

}  // namespace sinew
