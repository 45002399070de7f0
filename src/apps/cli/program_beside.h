// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#include "apps/cli/command.h"

namespace sinew::cli {

/// Becomes the program `name` that lies beside this one, with `verb` if there is one, the arguments, and
/// those of the command's and the common options that were given. Benchmarks are such programs, so that their
/// peers' libraries are not ours; they touch no system that runs, and are not told of one. Returns only when
/// refused.
Status run_program_beside(std::string_view name, const Command& command, const Words& words,
                          std::string_view verb = {});

}  // namespace sinew::cli
