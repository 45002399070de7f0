// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/mesh/shape_file.h"

namespace sinew {

Result<std::string> read_shape_file(std::string_view what, const std::filesystem::path& path,
                                    std::size_t most_bytes, const RobotFiles& files) {
  return files.read(path, {.what = what, .most_bytes = most_bytes, .remedy = "simplify it"});
}

}  // namespace sinew
