// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "apps/web/api_call.h"
#include "apps/web/robot_desk.h"

namespace sinew {

/// The calls that tell of the robot and move nothing. `desk` and `control` must outlive the rows.
std::vector<ApiRow> robot_rows(RobotDesk& desk, const accounts::ControlDesk& control);

}  // namespace sinew
