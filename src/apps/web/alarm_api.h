// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "apps/web/alarm_log.h"
#include "apps/web/api_call.h"

namespace sinew {

/// The calls about alarms. `log` must outlive the rows.
std::vector<ApiRow> alarm_rows(AlarmLog& log);

}  // namespace sinew
