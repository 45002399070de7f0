// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/model/robot_files.h"

namespace sinew {

/// The largest file that describes a robot; meshes are apart.
inline constexpr std::size_t kMostTextBytes = std::size_t{16} << 20U;

/// The whole file. Refuses folders, devices and files larger than kMostTextBytes.
Result<std::string> read_text_file(const std::filesystem::path& path,
                                   const RobotFiles& files = RobotFiles::all());

/// Refuses text that no reader should see: too long, zero bytes, or not UTF-8. `file` is for the message.
Status check_text(std::string_view text, std::string_view file);

/// A finite number written with digits, sign, point and exponent, nothing before or after it but blanks.
std::optional<double> parse_number(std::string_view text);

/// Numbers separated by blanks, at most `most` of them; nothing when one is not a finite number.
std::optional<std::vector<double>> parse_numbers(std::string_view text, std::size_t most);

/// `text` cut to a length that suits a message, control characters replaced.
std::string shown(std::string_view text);

/// Text without the blanks around it.
std::string_view trimmed(std::string_view text);

}  // namespace sinew
