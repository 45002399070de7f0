// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/channels/shared_copy.h"

#include <cstring>

namespace sinew::channels {

void copy_to_shared(AtomicU64* to, const void* from, std::size_t size) SINEW_REALTIME {
  const auto* source = static_cast<const char*>(from);
  const std::size_t words = size / 8;
#pragma GCC unroll 8
  for (std::size_t i = 0; i < words; ++i) {
    std::uint64_t word;
    std::memcpy(&word, source + 8 * i, 8);
    to[i].store(word, std::memory_order_relaxed);
  }
  if (size % 8 != 0) {
    std::uint64_t word = 0;
    std::memcpy(&word, source + 8 * words, size % 8);
    to[words].store(word, std::memory_order_relaxed);
  }
}

void copy_from_shared(void* to, const AtomicU64* from, std::size_t size) SINEW_REALTIME {
  auto* target = static_cast<char*>(to);
  const std::size_t words = size / 8;
#pragma GCC unroll 8
  for (std::size_t i = 0; i < words; ++i) {
    const std::uint64_t word = from[i].load(std::memory_order_relaxed);
    std::memcpy(target + 8 * i, &word, 8);
  }
  if (size % 8 != 0) {
    const std::uint64_t word = from[words].load(std::memory_order_relaxed);
    std::memcpy(target + 8 * words, &word, size % 8);
  }
}

}  // namespace sinew::channels
