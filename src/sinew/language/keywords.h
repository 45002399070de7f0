// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::language {

/// What a word of the language is. Parser, grammar page, formatter and editors all go by this table.
enum class WordKind {
  Motion,     ///< Begins a move: MOVEL.
  Suffix,     ///< Ends a motion word: _LSPB.
  Command,    ///< Begins another statement: WAIT.
  Structure,  ///< Opens, divides or closes a block: IF, ELSE, END.
  Part,       ///< Stands inside a statement: TO, UNTIL.
  Operator,   ///< AND, NOT, MOD.
  Constant,   ///< TRUE, PI.
  Function,   ///< POSE(…), SIN(…).
  Source,     ///< Reads something outside: IN {door}, POINT {home}.
  Unit,       ///< mm, deg.
  Option,     ///< Between [ ]: v, r.
};

struct Word {
  std::string_view text;  ///< As the formatter writes it.
  WordKind kind = WordKind::Command;
  std::string_view help;  ///< One line.
};

/// All words, in the order of the reference page.
std::span<const Word> all_words();

/// The word that `text` spells, in capitals or not; null when it is none that is reserved. Option keys and
/// suffixes mean something only where they stand and are not found here.
const Word* find_word(std::string_view text);

/// True when `text` cannot be a name of the program's own. Functions can: POSE( is one, pose is not.
bool is_reserved(std::string_view text);

/// All words of a kind.
std::vector<std::string> words_of(WordKind kind);

/// `text` in capitals (ASCII).
std::string upper(std::string_view text);

}  // namespace sinew::language
