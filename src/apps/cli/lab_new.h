// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/cli/command.h"

namespace sinew::cli {

/// sinew lab new: a controller, or a part of a robot, to begin with.
extern const Command kLabNewCommand;

}  // namespace sinew::cli
