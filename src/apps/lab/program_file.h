// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include "sinew/base/result.h"

namespace sinew::lab {

/// A robot program in a folder of its own, gone when this goes.
class ProgramFile {
 public:
  static Result<ProgramFile> make(const std::string& text);
  ~ProgramFile();
  ProgramFile(ProgramFile&& other) noexcept : folder_(std::exchange(other.folder_, {})) {}
  ProgramFile& operator=(ProgramFile&&) = delete;
  std::string path() const { return (folder_ / "lab.prog").string(); }

 private:
  explicit ProgramFile(std::filesystem::path folder) : folder_(std::move(folder)) {}
  std::filesystem::path folder_;
};

}  // namespace sinew::lab
