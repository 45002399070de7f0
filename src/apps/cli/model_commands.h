// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/cli/command.h"

namespace sinew::cli {

// each defined beside what it runs
extern const Command kModelCommand;
extern const Command kNewCommand;

}  // namespace sinew::cli
