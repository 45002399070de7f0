// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include "sinew/base/result.h"

namespace sinew::processes {

/// Size at which a log is moved aside; there is one older one, FILE.1.
inline constexpr std::uint64_t kLogLimit = 8U << 20U;

/// Size of a log [bytes]; zero when there is none.
std::uint64_t log_size(const std::string& path);

/// Copies a log that has outgrown `limit` to FILE.1 and empties it, under the feet of the process that writes
/// it. When there is no room for the copy, it is emptied all the same, and the refusal says so.
Status rotate_log(const std::string& path, std::uint64_t limit = kLogLimit);

/// The last `most_lines` lines after `from_byte`, at most 8 KiB.
std::string last_lines(const std::string& path, std::size_t most_lines, std::uint64_t from_byte = 0);

/// The text of the last line "note: TEXT" of a ready file, at most 200 letters of it; empty: there is none.
std::string note_in(const std::string& path);

}  // namespace sinew::processes
