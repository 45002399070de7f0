// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <vector>

#include "apps/web/api_call.h"
#include "apps/web/background.h"
#include "apps/web/robot_desk.h"

namespace sinew {

/// Counts that the server keeps of itself, for /metrics.
struct ServerCounts {
  std::size_t connections = 0;
  std::size_t sockets = 0;
  std::size_t watchers = 0;
};

/// The calls that tell how the processes are, restart one, and show their logs; and the text for Prometheus.
/// All must outlive the rows.
std::vector<ApiRow> status_rows(RobotDesk& desk, Background& background,
                                std::function<ServerCounts()> counts);

/// What Prometheus reads, from the newest that the robot has said.
std::string metrics_text(const cli::RobotLink& link, const ServerCounts& counts);

}  // namespace sinew
