// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>

#include "apps/cli/command.h"

namespace sinew::cli {

/// Runs a program that is one command: checks its words against the row, answers --help, and says on stderr
/// what was refused. Answers the exit code: 0, 1 for a refusal, 2 for words that cannot be.
int run_program(const Command& command, std::span<const std::string> words);

}  // namespace sinew::cli
