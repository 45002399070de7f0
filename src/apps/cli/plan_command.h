// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/cli/command.h"

namespace sinew::cli {

/// The row of `sinew plan`.
Command plan_command();
/// The row of `sinew bench plan`.
Command bench_plan_command();

}  // namespace sinew::cli
