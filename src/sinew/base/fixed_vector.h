// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>

#include "sinew/base/assert.h"

namespace sinew {

/// A vector whose memory is part of itself: at most `Capacity` elements, never allocates, may live in the
/// control cycle. For plain values; T must be default-constructible. Converts to std::span as any range does.
template <class T, std::size_t Capacity>
class FixedVector {
 public:
  using value_type = T;

  constexpr FixedVector() = default;
  constexpr FixedVector(std::initializer_list<T> items) {
    for (const T& item : items) push_back(item);
  }

  static constexpr std::size_t capacity() { return Capacity; }
  constexpr std::size_t size() const noexcept { return size_; }
  constexpr bool empty() const noexcept { return size_ == 0; }
  constexpr bool is_full() const noexcept { return size_ == Capacity; }

  /// Appends `item`. Appending to a full vector is a bug; use try_push_back() where it may happen.
  constexpr void push_back(const T& item) {
    SINEW_ASSERT(size_ < Capacity);
    items_[size_++] = item;
  }

  /// Appends `item` when there is room; says whether there was.
  [[nodiscard]] constexpr bool try_push_back(const T& item) {
    if (size_ == Capacity) return false;
    items_[size_++] = item;
    return true;
  }

  constexpr void pop_back() {
    SINEW_ASSERT(size_ > 0);
    items_[--size_] = T{};
  }

  /// Grows with default values or shrinks.
  constexpr void resize(std::size_t new_size) {
    SINEW_ASSERT(new_size <= Capacity);
    for (std::size_t i = new_size; i < size_; ++i) items_[i] = T{};
    size_ = new_size;
  }

  constexpr void clear() { resize(0); }

  constexpr T& operator[](std::size_t i) {
    SINEW_ASSERT(i < size_);
    return items_[i];
  }
  constexpr const T& operator[](std::size_t i) const {
    SINEW_ASSERT(i < size_);
    return items_[i];
  }
  constexpr T& back() { return (*this)[size_ - 1]; }
  constexpr const T& back() const { return (*this)[size_ - 1]; }

  constexpr T* begin() { return items_.data(); }
  constexpr T* end() { return items_.data() + size_; }
  constexpr const T* begin() const { return items_.data(); }
  constexpr const T* end() const { return items_.data() + size_; }
  constexpr T* data() { return items_.data(); }
  constexpr const T* data() const { return items_.data(); }

  friend constexpr bool operator==(const FixedVector& a, const FixedVector& b) {
    if (a.size_ != b.size_) return false;
    for (std::size_t i = 0; i < a.size_; ++i) {
      if (!(a.items_[i] == b.items_[i])) return false;
    }
    return true;
  }

 private:
  std::array<T, Capacity> items_{};
  std::size_t size_ = 0;
};

}  // namespace sinew
