// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "apps/cli/command.h"

namespace sinew::cli {

/// The rows of `sinew lab …` that are about exercises.
std::vector<Command> lab_commands();

/// Rows that are the program sinew-lab's own, too: there they run, here they start it.
Command lab_grade_command();
Command lab_list_command();

}  // namespace sinew::cli
