// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "apps/cli/command.h"

namespace sinew::cli {

/// `sinew web users list | add | remove | password | role`, `sinew web code`: the accounts of a robot's web
/// interface, on their files, for whom these belong to.
std::vector<Command> web_commands();

}  // namespace sinew::cli
