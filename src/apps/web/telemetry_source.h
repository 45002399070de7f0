// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sinew/channels/channel.h"
#include "sinew/messages/schemas.h"
#include "sinew/messages/world.h"
#include "sinew/viewers/telemetry.h"

#include "apps/cli/robot_link.h"

namespace sinew {

/// What stays of a robot, for viewers. `urdf`: its description, as they are to have it.
viewers::RobotFacts viewer_facts(const cli::RobotLink& link, std::string urdf);

/// What viewers are told of a running robot, out of its channels. One thread.
class TelemetrySource {
 public:
  /// All that `link` read last. `wall_ns`: now, since 1970.
  const viewers::Telemetry& look(const cli::RobotLink& link, std::int64_t wall_ns);

  /// The robot's channels were made anew: what is open leads nowhere.
  void reopen();

 private:
  /// What was said last, on a channel that may not be there yet.
  struct WorldChannel {
    std::optional<Reader<World>> reader;
    std::unique_ptr<Frame<World>> newest;
  };
  /// Whether something new was said.
  static bool read(WorldChannel& channel, const cli::RobotLink& link, std::string_view name);
  void look_at_world(const cli::RobotLink& link);

  viewers::Telemetry telemetry_;
  std::optional<std::int64_t> wall_ahead_ns_;  // since 1970 minus robot time, when it was first looked at
  WorldChannel told_;
  WorldChannel seen_;
};

}  // namespace sinew
