// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "sinew/base/result.h"
#include "sinew/language/syntax.h"

namespace sinew::language {

inline constexpr int kMostBlockDepth = 32;
inline constexpr int kMostExpressionDepth = 48;
inline constexpr std::size_t kMostStatements = 50000;
inline constexpr std::size_t kMostGoals = 1000;
inline constexpr std::size_t kMostValues = 64;
inline constexpr std::size_t kMostFiles = 32;

/// Gives the text of an included file. `path` is as written, `from` the name of the file that includes it;
/// the answer's name is what findings call it, the same for the same file.
struct IncludedText {
  std::string name;
  std::string text;
};
using IncludeReader = std::function<Result<IncludedText>(std::string_view path, std::string_view from)>;

/// What became of a text: a program, whole only when nothing found is an error.
struct ParsedProgram {
  Program program;
  FindingList findings;
};

/// Parses a program and all it includes. Goes on after an error, so that all come at once. Without a reader,
/// files are not taken in (INCLUDE stays a statement that does nothing), as the formatter wants it.
ParsedProgram parse_program(std::string_view text, std::string name, const IncludeReader& reader = {});

}  // namespace sinew::language
