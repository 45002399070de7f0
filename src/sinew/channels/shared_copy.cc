// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/channels/shared_copy.h"

#include <cstring>

namespace sinew::channels {
namespace {

// From this size on the processor's own block copy pays off [bytes].
constexpr std::size_t kBlock = 2048;

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// Moves whole words much like a row of relaxed accesses, but takes cache lines at a time. Intel's manual (3A,
// "Out-of-Order Stores For String Operations") orders any later store behind it, so what ring.h stores and
// checks next keeps its place.
std::size_t copy_block(void* to, const void* from, std::size_t size) SINEW_REALTIME {
  if (size < kBlock) return 0;
  std::size_t words = size / 8;
  asm volatile("rep movsq" : "+D"(to), "+S"(from), "+c"(words) : : "memory");
  return size / 8;
}
#else
std::size_t copy_block(void*, const void*, std::size_t) SINEW_REALTIME {
  return 0;
}
#endif

}  // namespace

void copy_to_shared(AtomicU64* to, const void* from, std::size_t size) SINEW_REALTIME {
  const auto* source = static_cast<const char*>(from);
  const std::size_t words = size / 8;
#pragma GCC unroll 8
  for (std::size_t i = copy_block(to, from, size); i < words; ++i) {
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
  for (std::size_t i = copy_block(to, from, size); i < words; ++i) {
    const std::uint64_t word = from[i].load(std::memory_order_relaxed);
    std::memcpy(target + 8 * i, &word, 8);
  }
  if (size % 8 != 0) {
    const std::uint64_t word = from[words].load(std::memory_order_relaxed);
    std::memcpy(target + 8 * words, &word, size % 8);
  }
}

}  // namespace sinew::channels
