// SPDX-License-Identifier: BSD-3-Clause
// The only file that knows libpng.
#include <png.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include <fmt/format.h>

#include "sinew/picture/image.h"

namespace sinew {

Result<std::string> png_bytes(const Image& image) {
  png_image png;
  std::memset(&png, 0, sizeof(png));
  png.version = PNG_IMAGE_VERSION;
  png.format = PNG_FORMAT_RGB;
  png.width = static_cast<png_uint_32>(image.width);
  png.height = static_cast<png_uint_32>(image.height);
  const void* pixels = image.bytes.data();
  png_alloc_size_t size = 0;
  std::string bytes;
  // the first call says how much room the second one needs
  bool is_done = png_image_write_to_memory(&png, nullptr, &size, 0, pixels, 0, nullptr) != 0;
  if (is_done) {
    bytes.resize(size);
    is_done = png_image_write_to_memory(&png, bytes.data(), &size, 0, pixels, 0, nullptr) != 0;
  }
  if (is_done) return bytes;
  return Error{ErrorCode::InvalidInput, fmt::format("cannot make a PNG of {} x {} pixels: {}", image.width,
                                                    image.height, png.message)};
}

Status write_png(const Image& image, const std::filesystem::path& path) {
  const auto bytes = png_bytes(image);
  if (!bytes) return bytes.error();
  std::ofstream file(path, std::ios::binary);
  file.write(bytes->data(), static_cast<std::streamsize>(bytes->size()));
  file.flush();
  if (file) return Done{};
  return Error{ErrorCode::SystemFailure,
               fmt::format("cannot write {}: {}", path.string(), std::strerror(errno))};
}

}  // namespace sinew
