// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>

#include "sinew/base/assert.h"

namespace sinew {

/// The last `Capacity` values pushed, oldest first; memory part of itself, never allocates. One thread.
template <class T, std::size_t Capacity>
class RingBuffer {
 public:
  static constexpr std::size_t capacity() { return Capacity; }
  constexpr std::size_t size() const noexcept { return size_; }
  constexpr bool empty() const noexcept { return size_ == 0; }

  /// Appends `item`; when full, the oldest goes.
  constexpr void push(const T& item) {
    items_[(first_ + size_) % Capacity] = item;
    if (size_ < Capacity) {
      ++size_;
    } else {
      first_ = (first_ + 1) % Capacity;
    }
  }

  /// The i-th oldest value; 0 is the oldest.
  constexpr const T& operator[](std::size_t i) const {
    SINEW_ASSERT(i < size_);
    return items_[(first_ + i) % Capacity];
  }
  constexpr const T& newest() const { return (*this)[size_ - 1]; }
  constexpr const T& oldest() const { return (*this)[0]; }

  constexpr void clear() {
    first_ = 0;
    size_ = 0;
  }

 private:
  std::array<T, Capacity> items_{};
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

}  // namespace sinew
