// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/cli/command.h"

namespace sinew::cli {

/// `sinew sim`: runs the simulator's programs, which stand beside this one.
Command sim_command();

}  // namespace sinew::cli
