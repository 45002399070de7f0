// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>
#include <vector>

#include "sinew/base/result.h"

namespace sinew {

/// Heights over a grid, row by row, x fastest; the first row has the lowest y.
struct HeightRows {
  std::size_t columns = 0;
  std::size_t rows = 0;
  std::vector<double> heights;
};

inline constexpr std::size_t kMostHeightBytes = std::size_t{64} << 20U;
inline constexpr std::size_t kMostHeightsAlong = 4096;

/// Reads a plain text: a row of numbers per line, separated by blanks or commas; what follows a # is not
/// read, nor are empty lines. `path` is named in refusals: rows of unlike length, fewer than two or more than
/// kMostHeightsAlong each way, what is no finite number.
Result<HeightRows> heights_from_text(const std::filesystem::path& path, std::string_view text);

}  // namespace sinew
