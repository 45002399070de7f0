// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sinew/collision/solid.h"

namespace sinew {
namespace {

HeightField::Level joined(const HeightField::Level& fine) {
  HeightField::Level level{.columns = (fine.columns + 1) / 2, .rows = (fine.rows + 1) / 2};
  level.heights.assign(level.columns * level.rows, -std::numeric_limits<double>::infinity());
  for (std::size_t j = 0; j < fine.rows; ++j) {
    for (std::size_t i = 0; i < fine.columns; ++i) {
      double& height = level.heights[j / 2 * level.columns + i / 2];
      height = std::max(height, fine.heights[j * fine.columns + i]);
    }
  }
  return level;
}

HeightField::Level cells_of(std::size_t columns, std::size_t rows, std::span<const double> heights) {
  HeightField::Level level{.columns = columns - 1, .rows = rows - 1};
  for (std::size_t j = 0; j + 1 < rows; ++j) {
    for (std::size_t i = 0; i + 1 < columns; ++i) {
      const std::size_t k = j * columns + i;
      level.heights.push_back(
          std::max({heights[k], heights[k + 1], heights[k + columns], heights[k + columns + 1]}));
    }
  }
  return level;
}

}  // namespace

Result<HeightField> HeightField::make(std::size_t columns, std::size_t rows, const Eigen::Vector2d& cell,
                                      std::span<const double> heights) {
  constexpr std::size_t kMostPoints = 4096;
  if (columns < 2 || rows < 2 || columns > kMostPoints || rows > kMostPoints ||
      heights.size() != columns * rows) {
    return Error{ErrorCode::InvalidInput,
                 fmt::format("a height field of {} by {} points got {} heights; it needs 2 to {} points each "
                             "way and one height per point",
                             columns, rows, heights.size(), kMostPoints)};
  }
  const bool is_number =
      std::all_of(heights.begin(), heights.end(), [](double h) { return std::isfinite(h); });
  if (!is_number || !cell.allFinite() || cell.minCoeff() <= 0.0) {
    return Error{ErrorCode::InvalidInput,
                 fmt::format("a height field has cells of {} by {} m or heights that are no numbers; cells "
                             "must be above zero and all heights finite",
                             cell.x(), cell.y())};
  }
  HeightField field;
  field.columns_ = columns;
  field.rows_ = rows;
  field.cell_ = cell;
  field.floor_ = *std::min_element(heights.begin(), heights.end()) - kThickness;
  field.levels_.push_back(cells_of(columns, rows, heights));
  while (field.levels_.back().heights.size() > 1) field.levels_.push_back(joined(field.levels_.back()));
  return field;
}

}  // namespace sinew
