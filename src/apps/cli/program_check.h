// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/cli/command.h"

namespace sinew::cli {

/// sinew check | format | language: robot programs, without a robot running.
Command check_command();
Command format_command();
extern const Command kLanguageCommand;

}  // namespace sinew::cli
