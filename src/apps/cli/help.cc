// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include <fmt/format.h>

#include "apps/cli/command.h"

namespace sinew::cli {
namespace {

constexpr std::size_t kWidth = 100;

// Breaks `text` into lines of at most kWidth with `indent` blanks before each but the first.
std::string wrapped(std::string_view text, std::size_t indent) {
  std::string out;
  std::size_t column = indent;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    if (column > indent && column + 1 + word.size() > kWidth) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
  }
  return out;
}

std::string option_lines(std::span<const Option> options) {
  std::string out;
  for (const Option& option : options) {
    const std::string left = option_text(option);
    const std::string fallback =
        option.fallback.empty() ? "" : fmt::format(" (default: {})", option.fallback);
    out += fmt::format("  {:<20} {}\n", left, wrapped(std::string(option.help) + fallback, 23));
  }
  return out;
}

std::string_view group_of(const Command& command) {
  return command.name.substr(0, command.name.find(' '));
}

std::string summary_lines(std::string_view group) {
  std::string out;
  for (const Command& command : all_commands()) {
    if (group.empty() || group_of(command) == group)
      out += fmt::format("  {:<18} {}\n", command.name, command.summary);
  }
  return out;
}

}  // namespace

std::string option_text(const Option& option) {
  return fmt::format("{}{}{}{}{}", option.short_name, option.short_name.empty() ? "" : ", ", option.name,
                     option.value_name.empty() ? "" : " ", option.value_name);
}

std::string usage_of(const Command& command) {
  std::string out = fmt::format("sinew {}", command.name);
  for (const Argument& argument : command.arguments) {
    const std::string name = std::string(argument.name) + (argument.is_repeated ? "…" : "");
    out += argument.is_optional ? fmt::format(" [{}]", name) : " " + name;
  }
  if (!command.options.empty()) out += " [options]";
  return out;
}

std::string help_for(const Command& command) {
  std::string out = fmt::format("{}.\n\nUsage: {}\n", command.summary, usage_of(command));
  if (!command.details.empty()) out += fmt::format("\n{}\n", wrapped(command.details, 0));
  if (!command.arguments.empty()) {
    out += "\nArguments:\n";
    for (const Argument& argument : command.arguments) {
      out += fmt::format("  {:<20} {}\n", argument.name, wrapped(argument.help, 23));
    }
  }
  out += "\nOptions:\n" + option_lines(command.options) + option_lines(common_options());
  if (!command.examples.empty()) {
    out += "\nExamples:\n";
    for (const std::string_view example : command.examples) out += fmt::format("  {}\n", example);
  }
  return out;
}

std::string help_for_all() {
  return fmt::format(
      "Sinew, a universal robot controller.\n\nUsage: sinew COMMAND …\n\nCommands:\n{}\n"
      "'sinew COMMAND --help' tells more about each. Everything a running system shares lives in a space;\n"
      "--space NAME chooses one, so that two systems never meet. From a clone, './sinew test' runs every "
      "test.\n",
      summary_lines(""));
}

std::string help_for_group(std::string_view group) {
  return fmt::format(
      "Usage: sinew {0} COMMAND …\n\nCommands:\n{1}\n'sinew {0} COMMAND --help' tells more about each.\n",
      group, summary_lines(group));
}

}  // namespace sinew::cli
