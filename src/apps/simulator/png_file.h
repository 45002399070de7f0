// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "sinew/base/result.h"

namespace sinew {

/// A picture: three bytes a pixel, red green blue, the top row first.
struct Picture {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> pixels;
};

/// Writes a PNG file.
Status write_png(const Picture& picture, const std::filesystem::path& path);

}  // namespace sinew
