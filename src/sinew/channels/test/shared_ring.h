// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/mman.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <span>

#include "sinew/base/assert.h"
#include "sinew/channels/ring.h"

namespace sinew::channels {

/// A ring without a file, in memory that forked children share.
class SharedRing {
 public:
  explicit SharedRing(const Layout& layout) : size_(static_cast<std::size_t>(layout.file_size())) {
    void* start = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    SINEW_ASSERT(start != MAP_FAILED);
    memory_ = {.start = static_cast<std::byte*>(start), .layout = layout};
  }
  ~SharedRing() { munmap(memory_.start, size_); }
  SharedRing(const SharedRing&) = delete;
  SharedRing& operator=(const SharedRing&) = delete;

  const RingMemory& memory() const { return memory_; }

 private:
  std::size_t size_;
  RingMemory memory_;
};

/// A payload that shows when it is torn: every word says the same.
struct Uniform {
  std::array<std::uint64_t, 16> words{};

  explicit Uniform(std::uint64_t value = 0) { words.fill(value); }
  std::uint64_t value() const { return words[0]; }
  bool is_whole() const {
    for (const std::uint64_t word : words) {
      if (word != words[0]) return false;
    }
    return true;
  }
};

}  // namespace sinew::channels
