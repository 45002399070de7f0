// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "sinew/base/result.h"
#include "sinew/model/robot_files.h"

namespace sinew {

/// All bytes of a file that holds a shape. `what` it is ("mesh") begins each refusal: of what is not there,
/// no plain file, or larger than `most_bytes`.
Result<std::string> read_shape_file(std::string_view what, const std::filesystem::path& path,
                                    std::size_t most_bytes, const RobotFiles& files = RobotFiles::all());

}  // namespace sinew
