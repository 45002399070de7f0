// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/base/histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace sinew {

void Histogram::add(std::int64_t duration_ns) noexcept {
  const auto value = static_cast<std::uint64_t>(std::clamp<std::int64_t>(duration_ns, 0, kLongest_ns));
  const int shift = std::max(0, static_cast<int>(std::bit_width(value)) - kFineBits - 1);
  ++bins_[(static_cast<std::size_t>(shift) << kFineBits) + static_cast<std::size_t>(value >> shift)];
  ++count_;
  max_ns_ = std::max(max_ns_, static_cast<std::int64_t>(value));
}

void Histogram::merge(const Histogram& other) noexcept {
  for (std::size_t i = 0; i < bins_.size(); ++i) bins_[i] += other.bins_[i];
  count_ += other.count_;
  max_ns_ = std::max(max_ns_, other.max_ns_);
}

double Histogram::quantile_ns(double quantile) const noexcept {
  const auto wanted = static_cast<std::uint64_t>(std::ceil(quantile * static_cast<double>(count_)));
  std::uint64_t passed = 0;
  for (std::size_t i = 0; i < bins_.size(); ++i) {
    passed += bins_[i];
    if (bins_[i] == 0 || passed < wanted) continue;
    const std::size_t fine = i & ((std::size_t{1} << kFineBits) - 1);
    const int shift = static_cast<int>(i >> kFineBits) - 1;
    if (shift <= 0) return static_cast<double>(i);
    // the middle of the bin
    return std::ldexp(static_cast<double>(fine + (std::size_t{1} << kFineBits)) + 0.5, shift);
  }
  return 0;
}

}  // namespace sinew
