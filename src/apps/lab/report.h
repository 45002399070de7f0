// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <iosfwd>

#include "sinew/base/result.h"

#include "apps/cli/command.h"

namespace sinew::lab {

/// sinew lab grade: refused also when the solution does not pass, so that the program exits by it.
Status run_grade(const cli::Words& words, std::ostream& out);

/// sinew lab list
Status run_list(const cli::Words& words, std::ostream& out);

}  // namespace sinew::lab
