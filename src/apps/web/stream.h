// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sinew {

/// A motion as somebody has recorded it: where joints were, row after row, kPeriod apart.
struct Stream {
  static constexpr double kPeriod = 0.04;               ///< [s] Between rows.
  static constexpr std::size_t kMostRows = 7'500;       ///< Five minutes.
  static constexpr std::size_t kLeastRows = 5;          ///< Of what is left after trimming, too.
  static constexpr std::size_t kMostNumbers = 100'000;  ///< In all rows.

  std::string name;
  std::string by;                         ///< Who recorded it.
  std::int64_t recorded_s = 0;            ///< [s] Since 1970.
  std::vector<std::string> joints;        ///< Their names; a row has a number for each.
  std::vector<std::vector<double>> rows;  ///< [rad, m]
  std::size_t first = 0;                  ///< The row that it begins with, as it was trimmed.
  std::size_t last = 0;                   ///< The row that it ends with.

  bool operator==(const Stream&) const = default;
};

inline double seconds_of(std::size_t rows) {
  return rows == 0 ? 0.0 : Stream::kPeriod * static_cast<double>(rows - 1);
}
/// As it was trimmed [s].
inline double length_of(const Stream& stream) {
  return seconds_of(stream.last - stream.first + 1);
}
/// Rows that a recording of so many joints may have.
inline std::size_t most_rows_of(std::size_t joints) {
  return std::min(Stream::kMostRows, Stream::kMostNumbers / std::max<std::size_t>(joints, 1));
}

}  // namespace sinew
