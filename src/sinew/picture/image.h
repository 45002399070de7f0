// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sinew/base/result.h"

namespace sinew {

/// Pixels in rows from the top, three bytes each: red, green, blue (sRGB).
struct Image {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> bytes;

  const std::uint8_t* pixel(int x, int y) const {
    return &bytes[3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                       static_cast<std::size_t>(x))];
  }
};

/// The image as a PNG file.
Result<std::string> png_bytes(const Image& image);

/// Writes the image to `path` as PNG, over what is there.
Status write_png(const Image& image, const std::filesystem::path& path);

}  // namespace sinew
