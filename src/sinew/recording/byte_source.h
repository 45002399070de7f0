// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "sinew/base/result.h"
#include "sinew/recording/mcap_records.h"

namespace sinew::recording {

/// Bytes to be read by place: of a file, or given. Reads, never maps, so that a file cut short under us is a
/// refusal and no signal. One thread.
class ByteSource {
 public:
  static Result<ByteSource> open(const std::string& path);
  static ByteSource of(Buffer bytes);

  ByteSource(ByteSource&& other) noexcept;
  ByteSource& operator=(ByteSource&& other) noexcept;
  ~ByteSource();

  std::uint64_t size() const { return size_; }
  const std::string& name() const { return name_; }

  /// The `size` bytes at `offset` into `out`; false when they are not all there.
  bool read(std::uint64_t offset, std::uint64_t size, Buffer& out) const;

 private:
  ByteSource() = default;
  std::string name_;
  int descriptor_ = -1;
  Buffer bytes_;
  std::uint64_t size_ = 0;
};

}  // namespace sinew::recording
