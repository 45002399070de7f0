// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/language/finding.h"

namespace sinew::language {

inline constexpr std::size_t kMostFileBytes = std::size_t{1} << 20U;
inline constexpr std::size_t kMostLineBytes = 4096;
inline constexpr std::size_t kMostNameBytes = 64;

enum class TokenKind {
  Name,     ///< A word of the language or of the program.
  Number,   ///< `number` is its value, `text` its spelling.
  Text,     ///< Between quotes; `text` without them, escapes resolved.
  Brace,    ///< {name}: something outside the program; `text` is the name.
  Symbol,   ///< One of = == != < <= > >= + - * / ^ % ( ) [ ] , ; .
  Newline,  ///< The end of a statement.
  Comment,  ///< # to the end of the line; `text` without the #, blanks trimmed.
  End,
};

struct Token {
  TokenKind kind = TokenKind::End;
  Place place;
  std::string text;
  double number = 0.0;
  bool has_blank_before = false;
};

/// The words of a program. What cannot be a word is reported and left out. A newline between two lines that
/// belong together (the first ends with `;` or `,`, or the second begins with a number, a sign, a bracket of
/// any kind, `;` or `,`) is left out as well. The last token is End.
std::vector<Token> split_into_tokens(std::string_view text, std::uint32_t file, FindingList& findings);

}  // namespace sinew::language
