// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "sinew/base/result.h"

namespace sinew::channels {

/// The space that is meant where none is named.
inline constexpr std::string_view kDefaultSpace = "default";

/// A word of letters, digits, '.', '-' and '_' that does not begin with '.', at most 64 long.
bool is_word(std::string_view text);

/// The folder of a space's channels: /dev/shm/sinew-SPACE.
Result<std::string> space_folder(std::string_view space);

/// The file of a channel: names are words with '/' between them, at most 200 characters.
Result<std::string> channel_path(std::string_view space, std::string_view name);

/// Makes the folders above `path` that are missing, below /dev/shm, each with mode 0755. A folder that others
/// may write in without being bound to their own files is refused: they could put a channel of theirs in
/// place of ours.
Status make_folders(const std::string& path);

/// The name of a user or a group, or its number where it has none.
std::string user_name(unsigned id);
std::string group_name(unsigned id);

/// "/path belongs to alice:robots with mode 0644, and you are bob": for messages about rights.
std::string rights_text(const std::string& path);

}  // namespace sinew::channels
