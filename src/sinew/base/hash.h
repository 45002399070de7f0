// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string_view>

namespace sinew {

inline constexpr std::uint64_t kHashStart = 0xcbf29ce484222325U;

/// FNV-1a, 64 bits: a fingerprint against mistakes, no protection against malice. `start` chains calls.
constexpr std::uint64_t fnv1a(std::string_view bytes, std::uint64_t start = kHashStart) {
  std::uint64_t hash = start;
  for (const char byte : bytes) {
    hash ^= static_cast<unsigned char>(byte);
    hash *= 0x100000001b3U;
  }
  return hash;
}

}  // namespace sinew
