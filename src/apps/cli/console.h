// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/cli/command.h"

namespace sinew::cli {

extern const Command kConsoleCommand;

}  // namespace sinew::cli
