// SPDX-License-Identifier: BSD-3-Clause
#include "apps/simulator/png_file.h"

#include <png.h>

#include <fmt/format.h>

namespace sinew {

Status write_png(const Picture& picture, const std::filesystem::path& path) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(picture.width);
  image.height = static_cast<png_uint_32>(picture.height);
  image.format = PNG_FORMAT_RGB;
  if (png_image_write_to_file(&image, path.c_str(), 0, picture.pixels.data(), 0, nullptr) != 0) return Done{};
  return Error{ErrorCode::SystemFailure, fmt::format("cannot write {}: {}", path.string(), image.message)};
}

}  // namespace sinew
