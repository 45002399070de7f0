// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/result.h"

namespace sinew {

/// The programs that people write in the page, as files of a folder: each whole or not there at all, and what
/// it was before kept beside it. One thread.
class ProgramStore {
 public:
  static constexpr std::size_t kMostPrograms = 500;
  static constexpr std::size_t kMostBytes = 256 * 1024;  ///< Of one program.
  static constexpr std::size_t kMostKept = 50;           ///< Earlier versions of one program.
  static constexpr std::size_t kMostRemoved = 50;        ///< That are told; all are kept.

  struct Entry {
    std::string name;
    std::size_t bytes = 0;
    std::int64_t changed_s = 0;  ///< [s] Since 1970.
  };
  struct Version {
    std::uint64_t number = 0;
    std::size_t bytes = 0;
    std::int64_t changed_s = 0;
  };

  explicit ProgramStore(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Letters, digits, '_' and '-', at most 64, then ".prog".
  static Status check_name(std::string_view name);
  std::filesystem::path path_of(std::string_view name) const { return folder_ / name; }
  const std::filesystem::path& folder() const { return folder_; }

  /// Tells texts apart; the same for the same text.
  static std::string version_of(std::string_view text);

  std::vector<Entry> list() const;
  /// Those that were removed, by their last text; they can be had back.
  std::vector<Entry> removed() const;
  Result<std::string> read(std::string_view name) const;
  /// Keeps what was there before; the same text again changes nothing.
  Status write(std::string_view name, std::string_view text);
  /// The last text is kept, so that it can be had back.
  Status remove(std::string_view name);
  /// Brings back what was removed. Refused: it is there, or never was.
  Status restore(std::string_view name);
  /// When its file was written last [s since 1970]; zero: there is none.
  std::int64_t changed_s(std::string_view name) const;

  /// The newest first.
  std::vector<Version> history(std::string_view name) const;
  Result<std::string> read_version(std::string_view name, std::uint64_t number) const;

  /// Somebody else has changed the folder.
  void note_change() { ++changes_; }

  /// Counts up with every change.
  std::uint64_t changes() const { return changes_; }

 private:
  std::filesystem::path kept_folder(std::string_view name) const;
  Status keep(std::string_view name, std::string_view text);

  std::filesystem::path folder_;
  std::uint64_t changes_ = 1;
};

}  // namespace sinew
