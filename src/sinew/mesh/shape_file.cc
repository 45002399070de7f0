// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/mesh/shape_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

#include "sinew/base/text.h"

namespace sinew {

Result<std::string> read_shape_file(std::string_view what, const std::filesystem::path& path,
                                    std::size_t most_bytes) {
  const auto refusal = [&](ErrorCode code, std::string_view why) {
    return Error{code, fmt::format("{} {}: {}", what, path.string(), why)};
  };
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    return refusal(ErrorCode::NotFound, "there is no such file; check its name and --packages");
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error || size > most_bytes) {
    return refusal(ErrorCode::OutOfLimits, fmt::format("it has {}, more than {}; simplify it",
                                                       bytes_text(size), bytes_text(most_bytes)));
  }
  std::ifstream file(path, std::ios::binary);
  std::string bytes(static_cast<std::size_t>(size), '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(size));
  if (!file)
    return refusal(ErrorCode::SystemFailure, fmt::format("cannot be read: {}", std::strerror(errno)));
  return bytes;
}

}  // namespace sinew
