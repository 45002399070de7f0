// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/cli/command.h"

namespace sinew::cli {

/// `sinew follow`: one robot's tool or joints behind another's, while somebody watches.
extern const Command kFollowCommand;

}  // namespace sinew::cli
