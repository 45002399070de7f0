// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <iosfwd>

#include "apps/supervisor/wire.h"

namespace sinew::cli {

/// The table of `sinew status` for people.
void print_status(const supervisor::Json& status, std::ostream& out);

}  // namespace sinew::cli
