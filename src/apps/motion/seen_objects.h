// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "sinew/base/result.h"
#include "sinew/channels/channel.h"
#include "sinew/messages/schemas.h"
#include "sinew/messages/world.h"
#include "sinew/spatial/pose.h"

namespace sinew {

/// Where things are, as the channel `world_truth` of a robot tells: the simulator's, or that of a program
/// that sees them. Opened when it is first asked for.
class SeenObjects {
 public:
  SeenObjects(std::string robot, std::string space);

  /// Of the newest message; in the axes of the world, which are those of a robot that stands at its origin.
  Result<Pose> find(std::string_view name);

 private:
  Status look();

  std::string robot_;
  std::string space_;
  std::optional<Reader<World>> reader_;
  std::unique_ptr<Frame<World>> frame_;
};

}  // namespace sinew
