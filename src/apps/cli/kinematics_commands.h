// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/cli/command.h"

namespace sinew::cli {

/// The rows of `sinew fk` and `sinew ik`.
Command fk_command();
Command ik_command();

}  // namespace sinew::cli
