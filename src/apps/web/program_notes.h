// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/result.h"

namespace sinew {

/// What goes with a program besides its text.
struct ProgramNote {
  std::string by;                          ///< Who wrote `version`; empty: not known.
  std::string version;                     ///< Of which text that is said.
  std::vector<std::uint64_t> breakpoints;  ///< Lines, ascending.

  bool operator==(const ProgramNote&) const = default;
};

/// The notes of all programs, in a file. One thread.
class ProgramNotes {
 public:
  static constexpr std::size_t kMostBreakpoints = 50;
  static constexpr std::uint64_t kHighestLine = 1'000'000;

  explicit ProgramNotes(std::filesystem::path file) : file_(std::move(file)) {}

  /// Reads them. What cannot be read is told, and forgotten with the next change: programs lose nothing.
  Status load();

  ProgramNote of(std::string_view program) const;
  /// Refused: too many breakpoints, lines that cannot be.
  Status put(std::string_view program, ProgramNote note);
  Status remove(std::string_view program);

 private:
  Status save() const;

  std::filesystem::path file_;
  std::map<std::string, ProgramNote, std::less<>> notes_;
};

}  // namespace sinew
