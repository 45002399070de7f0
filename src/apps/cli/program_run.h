// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/cli/command.h"

namespace sinew::cli {

/// sinew run: a program on a running robot.
Command run_command();

}  // namespace sinew::cli
