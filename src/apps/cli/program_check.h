// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "sinew/kinematics/chain_choice.h"
#include "sinew/messages/world.h"

#include "apps/cli/command.h"

namespace sinew::cli {

/// Where a robot is, and among what.
struct RobotPlace {
  std::span<const double> q_all;  ///< All of its positions [rad, m].
  const World* world = nullptr;   ///< Null: nothing is known to stand around it.
  const World* seen = nullptr;  ///< Where things are, as its channel `world_truth` tells; null: nobody does.
  std::string_view site{};      ///< What was set up where it stands: the text of its file, if there is one.
  std::uint32_t from_line = 0;  ///< Where the program begins; 0: at the beginning.
};

/// How many errors a program has on a robot at that place. Prints what is found: as JSON to stdout, else to
/// stderr.
Result<std::size_t> count_errors(const std::string& file, const ChainChoice& choice, const RobotPlace& place,
                                 bool as_json);

/// The robot that a program says it is for, by a line '# robot: NAME' among the comments at its head, and the
/// world by a line '# world: NAME'; empty when it says none.
std::string robot_named_in(std::string_view program);
std::string world_named_in(std::string_view program);

/// sinew check | format | language: robot programs, without a robot running.
Command check_command();
Command format_command();
extern const Command kLanguageCommand;

}  // namespace sinew::cli
