// SPDX-License-Identifier: BSD-3-Clause
#include "apps/cli/program_beside.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

namespace sinew::cli {
namespace {

constexpr std::string_view kBenchmark = "sinew-bench-";

}  // namespace

Status run_program_beside(std::string_view name, const Command& command, const Words& words,
                          std::string_view verb) {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / name;
  std::vector<std::string> line{program.string()};
  if (!verb.empty()) line.emplace_back(verb);
  line.insert(line.end(), words.arguments().begin(), words.arguments().end());
  const auto pass_on = [&](const Option& option) {
    if (!words.has(option.name)) return;
    line.emplace_back(option.name);
    if (!option.value_name.empty()) line.push_back(words.text(option.name));
  };
  std::ranges::for_each(command.options, pass_on);
  if (!name.starts_with(kBenchmark)) std::ranges::for_each(common_options(), pass_on);
  std::vector<char*> pointers;
  for (std::string& word : line) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execv(program.c_str(), pointers.data());
  return Error{ErrorCode::SystemFailure,
               fmt::format("cannot run {}: {}; build it with 'cmake --build build/release'", program.string(),
                           std::strerror(errno))};
}

}  // namespace sinew::cli
