// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "sinew/base/result.h"

#include "apps/supervisor/wire.h"

namespace sinew::cli {

/// What 'sinew status --json' prints: the processes of the space's robots, what they use, and how they are.
/// Waits for the supervisor, and a tenth of a second to see what the processes use.
Result<supervisor::Json> gather_status(const std::string& space);

}  // namespace sinew::cli
