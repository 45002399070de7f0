// SPDX-License-Identifier: BSD-3-Clause
#include "apps/supervisor/event_log.h"

#include <ctime>

#include <fmt/chrono.h>

#include "sinew/base/time.h"

namespace sinew::supervisor {

std::string time_text() {
  const std::int64_t now_ns = wall_now_ns();
  return fmt::format("{:%Y-%m-%d %H:%M:%S}.{:03}",
                     fmt::localtime(static_cast<std::time_t>(now_ns / kSecond_ns)),
                     now_ns % kSecond_ns / kMillisecond_ns);
}

}  // namespace sinew::supervisor
