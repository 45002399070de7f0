// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sinew/language/action.h"
#include "sinew/motion/move.h"

namespace sinew {

/// What a program's move asks of the planner.
Move move_from(const language::MoveAction& action);

}  // namespace sinew
