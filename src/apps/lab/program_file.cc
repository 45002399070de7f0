// SPDX-License-Identifier: BSD-3-Clause
#include "apps/lab/program_file.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include <fmt/format.h>

namespace sinew::lab {

Result<ProgramFile> ProgramFile::make(const std::string& text) {
  std::error_code error;
  std::string name = (std::filesystem::temp_directory_path(error) / "sinew-lab-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr)
    return Error{ErrorCode::SystemFailure, fmt::format("cannot make {}: {}", name, std::strerror(errno))};
  ProgramFile program{std::filesystem::path(name)};
  std::ofstream file(program.path());
  file << text;
  file.flush();
  if (file) return program;
  return Error{ErrorCode::SystemFailure,
               fmt::format("cannot write {}: {}", program.path(), std::strerror(errno))};
}

ProgramFile::~ProgramFile() {
  std::error_code ignored;
  if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
}

}  // namespace sinew::lab
