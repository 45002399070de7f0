// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "sinew/base/result.h"

namespace sinew::accounts {

/// The text of a file. NotFound when there is none; refused when it has more than `most` bytes or is no plain
/// file.
Result<std::string> read_whole_file(const std::string& path, std::size_t most);

/// Puts a text in the place of a file that only its owner may read (0600): as a whole or not at all, and kept
/// also when the machine loses its power.
Status replace_whole_file(const std::string& path, std::string_view text);

/// What has been renamed or made in a folder stays so when the machine loses its power.
Status sync_folder(const std::string& folder);

/// The right to change the files of a folder, among programs that ask for it; ends with this object. It is
/// not waited for.
class FolderLock {
 public:
  /// Refused: the folder is not there, or another program has it.
  static Result<FolderLock> take(const std::string& folder);

  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&&) = delete;
  ~FolderLock();

 private:
  explicit FolderLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

/// "/home/ada/.config/sinew/web/scorbot-er3": where what belongs to a robot and its users is kept,
/// $XDG_CONFIG_HOME/sinew/web/ROBOT or ~/.config/sinew/web/ROBOT. Refused: no home, or no name for a robot.
Result<std::string> data_folder_of(std::string_view robot);

/// Makes a folder and those above it, which only the user may enter (0700). Refused: one that belongs to
/// somebody else, or that others may write.
Status make_private_folder(const std::string& path);

}  // namespace sinew::accounts
