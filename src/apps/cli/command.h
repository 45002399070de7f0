// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/base/result.h"

namespace sinew::cli {

// A command is a row of data. Its help, the shell's completion and its manual page are written from that row,
// so they cannot disagree with what the command takes.

/// What the shell may offer where a word is to be typed.
enum class Completion { None, Channel, File, Message };

/// A word that follows the command.
struct Argument {
  std::string_view name;  ///< As shown: "CHANNEL".
  std::string_view help;
  Completion completion = Completion::None;
  bool is_optional = false;
  bool is_repeated = false;  ///< Takes all the words that are left; only the last argument may.
};

/// An option. Without a value name it is a switch.
struct Option {
  std::string_view name;        ///< "--json"
  std::string_view value_name;  ///< "N"; empty for a switch.
  std::string_view help;
  std::string_view fallback = {};  ///< What holds when it is not given; shown in the help.
  Completion completion = Completion::None;
  std::size_t most_values = 1;       ///< Takes so many words at most, up to the next option.
  std::string_view short_name = {};  ///< "-o" for "--out"; empty: none.
};

/// "-o, --out FILE": an option as people see it.
std::string option_text(const Option& option);

/// What was typed, checked against the command's row.
class Words {
 public:
  bool has(std::string_view option) const { return options_.contains(std::string(option)); }

  /// Value of an option, or its fallback.
  std::string text(std::string_view option) const;

  /// Value of an option as a number within bounds.
  Result<double> number(std::string_view option, double lowest, double highest) const;
  Result<std::uint32_t> whole(std::string_view option, std::uint32_t lowest, std::uint32_t highest) const;

  /// Values of an option that takes several numbers; none when it was not given. Commas may stand between
  /// them.
  Result<std::vector<double>> numbers(std::string_view option) const;

  /// The words that are no options, in order.
  const std::vector<std::string>& arguments() const { return arguments_; }
  std::string argument(std::size_t i) const { return i < arguments_.size() ? arguments_[i] : std::string(); }

 private:
  friend class WordsParser;
  std::map<std::string, std::string> options_;
  std::map<std::string, std::string> fallbacks_;
  std::vector<std::string> arguments_;
};

/// What was typed cannot be: the message is shown, and the program exits with 2.
inline Error usage_error(std::string message) {
  return {ErrorCode::InvalidInput, std::move(message)};
}

/// A finite number from a word, or why it is none.
Result<double> number_from(std::string_view word);

/// A command of `sinew`.
struct Command {
  std::string_view name;     ///< "demo", or "channel echo" in the group "channel".
  std::string_view summary;  ///< One line, without a full stop.
  std::string_view details = {};
  std::vector<Argument> arguments = {};
  std::vector<Option> options = {};
  std::vector<std::string_view> examples = {};
  Status (*run)(const Words& words, std::ostream& out) = nullptr;
};

/// Every command, in the order of the help.
std::span<const Command> all_commands();

/// Options that every command takes.
std::span<const Option> common_options();

/// Finds the command that `words` begin with and how many of them name it; null when there is none.
struct FoundCommand {
  const Command* command = nullptr;
  std::size_t word_count = 0;
};
FoundCommand find_command(std::span<const std::string> words);

/// Checks `words`, those after the command's name, against its row.
Result<Words> parse_words(const Command& command, std::span<const std::string> words);

/// "sinew channel echo CHANNEL [--json] …"
std::string usage_of(const Command& command);

/// The text of --help for one command; for all; and for those whose name begins with `group`.
std::string help_for(const Command& command);
std::string help_for_all();
std::string help_for_group(std::string_view group);

/// A script that teaches a shell ("bash" or "zsh") to complete.
Result<std::string> completion_script(std::string_view shell);

/// A manual page in man(7) macros: of one command, or of `sinew` itself.
std::string manual_page(const Command& command);
std::string manual_page_of_sinew();

/// "sinew-channel-echo": the name of a command's manual page.
std::string page_name(const Command& command);

}  // namespace sinew::cli
