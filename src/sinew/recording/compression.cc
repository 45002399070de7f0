// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/recording/compression.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#ifdef SINEW_HAS_LZ4
#include <lz4frame.h>
#endif
#ifdef SINEW_HAS_ZSTD
#include <zstd.h>
#endif

namespace sinew::recording {
namespace {

// the lightest setting: a robot's messages hardly shrink further, and the processor has other work
[[maybe_unused]] constexpr int kZstdLevel = 1;
[[maybe_unused]] constexpr std::size_t kFirstStep = 1 << 16;

Error damaged(std::string_view name, std::string_view reason) {
  return {ErrorCode::Damaged, fmt::format("a chunk packed with {} cannot be unpacked: {}", name, reason)};
}

[[maybe_unused]] Error left_out(std::string_view name) {
  return {ErrorCode::NotFound, fmt::format("this build cannot pack or unpack {}; use compression 'none' or "
                                           "build with the library for it",
                                           name)};
}

Error wrong_size(std::string_view name, std::uint64_t size) {
  return damaged(name, fmt::format("it does not give the {} bytes that it promises", size));
}

// Room for more output in `out`, of which `used` bytes are filled, up to `size` in all.
[[maybe_unused]] void grow(std::vector<std::byte>& out, std::size_t used, std::uint64_t size) {
  const std::size_t wanted = std::max(kFirstStep, 2 * used);
  out.resize(static_cast<std::size_t>(std::min<std::uint64_t>(size, wanted)));
}

#ifdef SINEW_HAS_ZSTD
struct FreeZstd {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

Result<std::vector<std::byte>> unpack_zstd(std::span<const std::byte> packed, std::uint64_t size) {
  const std::unique_ptr<ZSTD_DCtx, FreeZstd> context(ZSTD_createDCtx());
  std::vector<std::byte> out;
  ZSTD_inBuffer input{packed.data(), packed.size(), 0};
  std::size_t used = 0;
  while (true) {
    if (used == out.size() && used < size) grow(out, used, size);
    ZSTD_outBuffer output{out.data(), out.size(), used};
    const std::size_t taken = input.pos;
    const std::size_t left = ZSTD_decompressStream(context.get(), &output, &input);
    if (ZSTD_isError(left) != 0) return damaged("zstd", ZSTD_getErrorName(left));
    const bool has_moved = output.pos > used || input.pos > taken;
    used = output.pos;
    if (left == 0 && input.pos == input.size) break;
    if (!has_moved && (used == size || input.pos == input.size)) return wrong_size("zstd", size);
  }
  if (used != size) return wrong_size("zstd", size);
  return out;
}
#endif

#ifdef SINEW_HAS_LZ4
struct FreeLz4 {
  void operator()(LZ4F_dctx* context) const { LZ4F_freeDecompressionContext(context); }
};

Result<std::vector<std::byte>> unpack_lz4(std::span<const std::byte> packed, std::uint64_t size) {
  LZ4F_dctx* made = nullptr;
  if (LZ4F_isError(LZ4F_createDecompressionContext(&made, LZ4F_VERSION)) != 0)
    return damaged("lz4", "no memory");
  const std::unique_ptr<LZ4F_dctx, FreeLz4> context(made);
  std::vector<std::byte> out;
  std::size_t used = 0;
  std::size_t left = 1;
  while (left != 0 || !packed.empty()) {
    if (used == out.size() && used < size) grow(out, used, size);
    std::size_t given = out.size() - used;
    std::size_t taken = packed.size();
    left = LZ4F_decompress(context.get(), out.data() + used, &given, packed.data(), &taken, nullptr);
    if (LZ4F_isError(left) != 0) return damaged("lz4", LZ4F_getErrorName(left));
    if (given == 0 && taken == 0) return wrong_size("lz4", size);
    used += given;
    packed = packed.subspan(taken);
  }
  if (used != size) return wrong_size("lz4", size);
  return out;
}
#endif

}  // namespace

struct Compressor::State {
  std::vector<std::byte> packed;
#ifdef SINEW_HAS_ZSTD
  ZSTD_CCtx* zstd = ZSTD_createCCtx();
  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { ZSTD_freeCCtx(zstd); }
#endif
};

Compressor::Compressor(Compression compression)
    : compression_(compression), state_(std::make_unique<State>()) {}
Compressor::~Compressor() = default;
Compressor::Compressor(Compressor&&) noexcept = default;
Compressor& Compressor::operator=(Compressor&&) noexcept = default;

Result<std::span<const std::byte>> Compressor::pack(std::span<const std::byte> bytes) {
  [[maybe_unused]] std::vector<std::byte>& packed = state_->packed;
  std::size_t size = 0;
  if (compression_ == Compression::None) return bytes;
#ifdef SINEW_HAS_ZSTD
  if (compression_ == Compression::Zstd) {
    packed.resize(ZSTD_compressBound(bytes.size()));
    size =
        ZSTD_compressCCtx(state_->zstd, packed.data(), packed.size(), bytes.data(), bytes.size(), kZstdLevel);
    if (ZSTD_isError(size) != 0)
      return Error{ErrorCode::SystemFailure, fmt::format("zstd: {}", ZSTD_getErrorName(size))};
  }
#endif
#ifdef SINEW_HAS_LZ4
  if (compression_ == Compression::Lz4) {
    packed.resize(LZ4F_compressFrameBound(bytes.size(), nullptr));
    size = LZ4F_compressFrame(packed.data(), packed.size(), bytes.data(), bytes.size(), nullptr);
    if (LZ4F_isError(size) != 0)
      return Error{ErrorCode::SystemFailure, fmt::format("lz4: {}", LZ4F_getErrorName(size))};
  }
#endif
  return std::span<const std::byte>(packed.data(), size);
}

Result<std::vector<std::byte>> unpack(Compression compression, std::span<const std::byte> packed,
                                      std::uint64_t size) {
#ifdef SINEW_HAS_ZSTD
  if (compression == Compression::Zstd) return unpack_zstd(packed, size);
#endif
#ifdef SINEW_HAS_LZ4
  if (compression == Compression::Lz4) return unpack_lz4(packed, size);
#endif
  if (compression != Compression::None) return left_out(compression_name(compression));
  if (packed.size() != size) return wrong_size("nothing", size);
  return std::vector<std::byte>(packed.begin(), packed.end());
}

std::string_view compression_name(Compression compression) {
  switch (compression) {
    case Compression::None:
      return "";
    case Compression::Lz4:
      return "lz4";
    case Compression::Zstd:
      return "zstd";
  }
  return "";
}

Result<Compression> compression_from(std::string_view name) {
  if (name.empty() || name == "none") return Compression::None;
  if (name == "lz4") {
#ifdef SINEW_HAS_LZ4
    return Compression::Lz4;
#else
    return left_out(name);
#endif
  }
  if (name == "zstd") {
#ifdef SINEW_HAS_ZSTD
    return Compression::Zstd;
#else
    return left_out(name);
#endif
  }
  return Error{ErrorCode::InvalidInput,
               fmt::format("there is no compression '{}': it is none, lz4 or zstd", name.substr(0, 32))};
}

Compression default_compression() {
#ifdef SINEW_HAS_ZSTD
  return Compression::Zstd;
#else
  return Compression::None;
#endif
}

}  // namespace sinew::recording
