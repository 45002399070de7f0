// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sinew/base/text.h"

#include "apps/cli/command.h"
#include "apps/cli/program.h"

namespace sinew::cli {
namespace {

constexpr int kUsageError = 2;

int complain(const std::string& message, int status) {
  fmt::print(stderr, "sinew: {}\n", message);
  return status;
}

bool is_group(std::string_view word) {
  const auto commands = all_commands();
  return std::any_of(commands.begin(), commands.end(),
                     [&](const Command& c) { return c.name.starts_with(std::string(word) + " "); });
}

std::vector<std::string> names_after(std::string_view group) {
  std::vector<std::string> names;
  for (const Command& command : all_commands()) {
    const std::string_view name = command.name;
    if (group.empty()) names.emplace_back(name.substr(0, name.find(' ')));
    if (!group.empty() && name.starts_with(std::string(group) + " "))
      names.emplace_back(name.substr(group.size() + 1));
  }
  return names;
}

// No command was named: help where it was asked for, else what could have been meant.
int without_command(const std::vector<std::string>& words) {
  const bool asks_help = words.empty() || words[0] == "--help" || words[0] == "-h" || words[0] == "help";
  if (asks_help) {
    std::cout << (words.size() > 1 && is_group(words[1]) ? help_for_group(words[1]) : help_for_all());
    return 0;
  }
  if (words[0] == "--version") {
    std::cout << "sinew " SINEW_VERSION "\n";
    return 0;
  }
  if (!is_group(words[0])) {
    return complain(fmt::format("there is no command '{}'{}; 'sinew --help' lists all", words[0],
                                did_you_mean(words[0], names_after(""))),
                    kUsageError);
  }
  if (words.size() == 1 || words[1] == "--help" || words[1] == "-h") {
    std::cout << help_for_group(words[0]);
    return 0;
  }
  return complain(fmt::format("there is no command '{0} {1}'{2}; 'sinew {0} --help' lists all", words[0],
                              words[1], did_you_mean(words[1], names_after(words[0]))),
                  kUsageError);
}

int run(const std::vector<std::string>& words) {
  const FoundCommand found = find_command(words);
  if (found.command == nullptr) return without_command(words);
  const std::span<const std::string> rest(words.begin() + static_cast<std::ptrdiff_t>(found.word_count),
                                          words.end());
  return run_program(*found.command, rest);
}

}  // namespace
}  // namespace sinew::cli

int main(int count, char** words) {
  // a reader of our output that goes away, as in `sinew … | head`, ends us quietly
  std::signal(SIGPIPE, SIG_DFL);
  return sinew::cli::run({words + 1, words + count});
}
