// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "sinew/channels/channel.h"
#include "sinew/messages/io.h"
#include "sinew/messages/jog.h"
#include "sinew/messages/schemas.h"

#include "apps/cli/robot_link.h"
#include "apps/web/robot_sight.h"

namespace sinew {

/// A running robot as the page shows it, many times a second. One thread.
class LiveView {
 public:
  /// Both must outlive it.
  LiveView(const cli::RobotLink& link, RobotSight& sight) : link_(link), sight_(sight) {}

  /// All that changes, from what the link has read last; without who controls.
  nlohmann::ordered_json frame();

  /// Reads what is newest of the world; frame() does, too.
  void look_at_world();
  /// The objects: those that a simulated world really has, and those that the robot was told of besides.
  nlohmann::ordered_json world_json() const;

 private:
  nlohmann::ordered_json seen_json() const;
  nlohmann::ordered_json tools_json() const;
  nlohmann::ordered_json safety_json() const;
  nlohmann::ordered_json motion_json() const;
  nlohmann::ordered_json jog_json();
  nlohmann::ordered_json io_json();
  nlohmann::ordered_json nearest_json();
  nlohmann::ordered_json grippers_json() const;

  const cli::RobotLink& link_;
  RobotSight& sight_;
  std::optional<Reader<JogState>> jogging_;
  std::optional<Reader<IoState>> io_;
  std::optional<Reader<World>> world_reader_;
  std::optional<Reader<World>> truth_reader_;
  std::unique_ptr<Frame<World>> told_;  // null: nothing was
  std::unique_ptr<Frame<World>> seen_;
  std::uint64_t world_number_ = 0;  // counts up when there is something to fetch anew
};

/// "moving" and the like.
std::string_view word_of(JogPhase phase);
std::string_view word_of(JogReason reason);
std::string_view word_of(ProgramPhase phase);

}  // namespace sinew
