// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "apps/cli/command.h"

namespace sinew::cli {

/// The rows of `sinew bench …`.
std::vector<Command> bench_commands();

/// Rows that are the benchmark programs' own, too.
Command bench_control_command();
Command bench_simulation_command();
Command bench_soak_command();
Command bench_torture_command();
Command bench_hanoi_command();

}  // namespace sinew::cli
