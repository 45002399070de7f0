// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include "sinew/base/result.h"
#include "sinew/language/parser.h"
#include "sinew/model/robot_files.h"

namespace sinew {

/// A program as it was read, with all that it includes.
struct ProgramText {
  language::ParsedProgram parsed;
  std::string text;        ///< Of the program itself.
  std::uint64_t hash = 0;  ///< FNV-1a of all its texts, in the order in which they are taken in.
};

/// Reads the text of a file that may hold a program; refuses what is no text.
Result<std::string> read_program_text(const std::string& path, const RobotFiles& files = RobotFiles::all());

/// Reads and parses a program and what it includes, looked for beside the file that names it: whole and once,
/// so that a file that changes while it runs does not matter. `files`: what it may include.
Result<ProgramText> read_program(const std::string& path, const RobotFiles& files = RobotFiles::all());

}  // namespace sinew
