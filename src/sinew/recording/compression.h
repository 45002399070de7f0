// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "sinew/base/result.h"

namespace sinew::recording {

/// How a chunk of records is packed.
enum class Compression { None, Lz4, Zstd };

/// What MCAP calls it: "", "lz4" or "zstd".
std::string_view compression_name(Compression compression);

/// By name; also "none". Refused when unknown, or left out of this build.
Result<Compression> compression_from(std::string_view name);

/// What is written when nobody chooses: zstd where it is built in, else nothing is packed.
Compression default_compression();

/// Packs chunks; keeps its memory from one to the next. One thread.
class Compressor {
 public:
  explicit Compressor(Compression compression);
  ~Compressor();
  Compressor(Compressor&&) noexcept;
  Compressor& operator=(Compressor&&) noexcept;

  Compression compression() const { return compression_; }

  /// The packed form of `bytes`, valid until the next call; `bytes` itself when nothing is to be packed.
  Result<std::span<const std::byte>> pack(std::span<const std::byte> bytes);

 private:
  struct State;
  Compression compression_;
  std::unique_ptr<State> state_;
};

/// Unpacks what may come from anybody: refused unless it gives exactly `size` bytes. Memory grows with what
/// comes out, not with what is promised.
Result<std::vector<std::byte>> unpack(Compression compression, std::span<const std::byte> packed,
                                      std::uint64_t size);

}  // namespace sinew::recording
