// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/cli/command.h"

namespace sinew::cli {

/// sinew hanoi: becomes sinew-hanoi, whose row it is, too.
Command hanoi_command();

}  // namespace sinew::cli
