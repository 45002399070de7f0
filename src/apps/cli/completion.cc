// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "sinew/messages/schemas.h"

#include "apps/cli/command.h"

namespace sinew::cli {
namespace {

std::string option_names(const Command& command) {
  std::string out;
  for (const auto options : {std::span<const Option>(command.options), common_options()}) {
    for (const Option& option : options) out += fmt::format("{}{}", out.empty() ? "" : " ", option.name);
  }
  return out;
}

// The shell words that offer what fits a place; $current is what has been typed of it.
std::string offer(Completion completion) {
  switch (completion) {
    case Completion::Channel:
      return "COMPREPLY=($(compgen -W \"$(${words[0]} channel ls --names $space 2>/dev/null)\" -- "
             "\"$current\"))";
    case Completion::File:
      return "compopt -o default; COMPREPLY=()";
    case Completion::Message: {
      std::string names;
      for (const MessageSchema* schema : kAllMessages) names += fmt::format("{} ", schema->name);
      return fmt::format("COMPREPLY=($(compgen -W \"{}\" -- \"$current\"))", names);
    }
    case Completion::None:
      break;
  }
  return "COMPREPLY=()";
}

// The beginnings of names that have more than one word: "", "channel", "web", "web users".
std::set<std::string> name_beginnings() {
  std::set<std::string> beginnings{""};
  for (const Command& command : all_commands()) {
    for (std::size_t i = command.name.find(' '); i != std::string_view::npos;
         i = command.name.find(' ', i + 1))
      beginnings.insert(std::string(command.name.substr(0, i)));
  }
  return beginnings;
}

// The words that may follow each beginning of a command's name: "" → demo, channel; "channel" → ls, echo.
std::string name_cases() {
  std::string out;
  for (const std::string& beginning : name_beginnings()) {
    std::set<std::string> next;
    for (const Command& command : all_commands()) {
      std::string_view name = command.name;
      if (!beginning.empty() && !name.starts_with(beginning + " ")) continue;
      if (!beginning.empty()) name.remove_prefix(beginning.size() + 1);
      next.insert(std::string(name.substr(0, name.find(' '))));
    }
    out += fmt::format("    '{}') COMPREPLY=($(compgen -W '{}' -- \"$current\")); return ;;\n", beginning,
                       fmt::join(next, " "));
  }
  return out;
}

// Two words name a command; where they begin a longer name, the third does too.
std::string longer_names() {
  std::string out;
  for (const std::string& beginning : name_beginnings()) {
    if (beginning.find(' ') == std::string::npos) continue;
    out += fmt::format("  [[ $typed == '{}' ]] && ((COMP_CWORD > 3)) && typed=\"$typed ${{words[3]}}\"\n",
                       beginning);
  }
  return out;
}

std::string value_cases(const Command& command) {
  std::string out;
  for (const auto options : {std::span<const Option>(command.options), common_options()}) {
    for (const Option& option : options) {
      if (option.value_name.empty()) continue;
      const std::string brief = option.short_name.empty() ? "" : fmt::format("{}|", option.short_name);
      out += fmt::format("        {}{}) {}; return ;;\n", brief, option.name, offer(option.completion));
    }
  }
  return out;
}

std::string command_case(const Command& command) {
  const Completion words =
      command.arguments.empty() ? Completion::None : command.arguments.front().completion;
  return fmt::format(
      "    '{}')\n      case \"$previous\" in\n{}      esac\n"
      "      if [[ $current == -* ]]; then COMPREPLY=($(compgen -W '{}' -- \"$current\")); else {}; fi ;;\n",
      command.name, value_cases(command), option_names(command), offer(words));
}

std::string bash_script() {
  std::string cases;
  for (const Command& command : all_commands()) cases += command_case(command);
  return fmt::format(
      R"(# Completion of 'sinew' for bash, written by 'sinew completion bash'.
_sinew() {{
  local -a words=("${{COMP_WORDS[@]}}")
  local current="${{words[COMP_CWORD]}}" previous="${{words[COMP_CWORD-1]}}" space="" typed="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    [[ ${{words[i]}} == --space ]] && space="--space ${{words[i+1]}}"
    [[ ${{words[i]}} == -* ]] && break
    ((i <= 2)) && typed="${{typed:+$typed }}${{words[i]}}"
  done
{}  case "$typed" in
{}  esac
  case "$typed" in
{}    *) [[ $typed == *' '* ]] && {{ typed="${{typed%% *}}"; }} ;;
  esac
}}
complete -F _sinew sinew ./sinew
)",
      longer_names(), name_cases(), cases);
}

}  // namespace

Result<std::string> completion_script(std::string_view shell) {
  if (shell == "bash") return bash_script();
  if (shell == "zsh") return "autoload -U +X bashcompinit && bashcompinit\n" + bash_script();
  return Error{ErrorCode::InvalidInput,
               fmt::format("there is completion for bash and zsh, not for '{}'", shell)};
}

}  // namespace sinew::cli
