// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "sinew/kinematics/chain_choice.h"

#include "apps/cli/command.h"

namespace sinew::cli {

/// The options by which commands choose a chain: --robot NAME [--arm NAME], or --urdf FILE [--base LINK]
/// --tip LINK.
std::vector<Option> chain_options();

/// The chain that the options of chain_options() choose; remarks about the robot go to stderr.
Result<ChosenChain> choose_chain(const Words& words);

/// "revolute1 rad, …": the chain's variables by name, for messages about how many numbers are wanted.
std::string variables_text(const ChosenChain& chosen);

}  // namespace sinew::cli
