// SPDX-License-Identifier: BSD-3-Clause
// For .cc files of this app only: it brings nlohmann's header along.
#pragma once

#include <nlohmann/json.hpp>

#include "apps/web/alarm_log.h"

namespace sinew {

/// An alarm as the page has it; times in s since 1970.
nlohmann::ordered_json alarm_json(const Alarm& alarm);

}  // namespace sinew
