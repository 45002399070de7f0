// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>

#include "sinew/kinematics/chain_choice.h"

#include "apps/cli/command.h"

namespace sinew::cli {

/// How many errors a program has on a robot whose joints are at `q_all`, all of its positions [rad, m].
/// Prints what is found: as JSON to stdout, else to stderr.
Result<std::size_t> count_errors(const std::string& file, const ChainChoice& choice,
                                 std::span<const double> q_all, bool as_json);

/// sinew check | format | language: robot programs, without a robot running.
Command check_command();
Command format_command();
extern const Command kLanguageCommand;

}  // namespace sinew::cli
