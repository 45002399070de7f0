// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace sinew {

/// Counts durations in bins that grow with the duration: exact below 256 ns, within 0.4 % above. Plain memory
/// of fixed size without pointers, so that it can lie in memory shared between processes; all zeros is empty.
class Histogram {
 public:
  /// Negative durations count as zero, those beyond 18 minutes as 18 minutes.
  void add(std::int64_t duration_ns) noexcept;
  void merge(const Histogram& other) noexcept;

  std::uint64_t count() const noexcept { return count_; }
  std::int64_t max_ns() const noexcept { return max_ns_; }

  /// The duration that the share `quantile` (0 to 1) of all does not exceed [ns]; 0 when empty.
  double quantile_ns(double quantile) const noexcept;

 private:
  static constexpr int kFineBits = 7;  // 128 bins for each doubling
  static constexpr int kDoublings = 32;
  static constexpr std::int64_t kLongest_ns = (std::int64_t{1} << (kFineBits + 1 + kDoublings)) - 1;

  std::array<std::uint32_t, (kDoublings + 2) << kFineBits> bins_{};
  std::uint64_t count_ = 0;
  std::int64_t max_ns_ = 0;
};

}  // namespace sinew
