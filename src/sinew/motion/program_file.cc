// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/program_file.h"

#include <filesystem>
#include <utility>

#include "sinew/base/hash.h"
#include "sinew/model/text_input.h"

namespace sinew {

Result<std::string> read_program_text(const std::string& path, const RobotFiles& files) {
  auto text = read_text_file(path, files);
  if (!text) return text;
  if (Status is_text = check_text(*text, path); !is_text) return is_text.error();
  return text;
}

Result<ProgramText> read_program(const std::string& path, const RobotFiles& files) {
  auto text = read_program_text(path, files);
  if (!text) return text.error();
  ProgramText program{.text = *std::move(text)};
  program.hash = fnv1a(program.text);
  const auto include = [&](std::string_view name, std::string_view from) -> Result<language::IncludedText> {
    const auto file = (std::filesystem::path(from).parent_path() / name).lexically_normal().string();
    auto included = read_program_text(file, files);
    if (!included) return included.error();
    program.hash = fnv1a(*included, program.hash);
    return language::IncludedText{file, *std::move(included)};
  };
  program.parsed = language::parse_program(program.text, path, include);
  return program;
}

}  // namespace sinew
