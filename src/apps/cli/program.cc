// SPDX-License-Identifier: BSD-3-Clause
#include "apps/cli/program.h"

#include <cstdio>
#include <iostream>

#include <fmt/format.h>

namespace sinew::cli {
namespace {

constexpr int kRefused = 1;
constexpr int kWrongWords = 2;

int refuse(std::string_view program, const Error& error, int status) {
  fmt::print(stderr, "{}: {}\n", program, error.message);
  return status;
}

}  // namespace

int run_program(const Command& command, std::span<const std::string> words) {
  const auto parsed = parse_words(command, words);
  if (!parsed) return refuse(command.name, parsed.error(), kWrongWords);
  if (parsed->has("--help")) {
    std::cout << help_for(command);
    return 0;
  }
  const Status done = command.run(*parsed, std::cout);
  std::cout.flush();
  if (done) return 0;
  return refuse(command.name, done.error(),
                done.error().code == ErrorCode::InvalidInput ? kWrongWords : kRefused);
}

}  // namespace sinew::cli
