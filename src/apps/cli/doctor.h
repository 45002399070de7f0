// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/cli/command.h"

namespace sinew::cli {

extern const Command kDoctorCommand;

}  // namespace sinew::cli
