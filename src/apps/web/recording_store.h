// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/result.h"

namespace sinew {

/// Recordings that can be looked at from afar: the MCAP files of some folders, and nothing else there. It
/// only reads, in any thread.
class RecordingStore {
 public:
  static constexpr std::size_t kMostListed = 500;
  static constexpr std::size_t kMostBytes = 64U << 20U;  ///< Of one file that is handed out.

  struct Entry {
    std::string name;
    std::uint64_t bytes = 0;
    std::int64_t changed_s = 0;  ///< [s] Since 1970.
  };

  /// Of files of the same name, the one of the first folder counts.
  explicit RecordingStore(std::vector<std::filesystem::path> folders) : folders_(std::move(folders)) {}

  /// Letters, digits, '_', '-', '+', '.' and ':', at most 128, then ".mcap"; not ".hidden", and nothing with
  /// a slash.
  static Status check_name(std::string_view name);

  /// The newest first, kMostListed at most.
  std::vector<Entry> list() const;
  /// Where it is: a file in one of the folders, no link to elsewhere.
  Result<std::filesystem::path> path_of(std::string_view name) const;
  /// Its bytes. Refused: what is too large.
  Result<std::string> read(std::string_view name) const;

 private:
  std::vector<std::filesystem::path> folders_;
};

}  // namespace sinew
