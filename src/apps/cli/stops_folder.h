// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace sinew::cli {

/// Where the seconds before stops are saved unless somebody says otherwise: $XDG_STATE_HOME/sinew/stops, else
/// ~/.local/state/sinew/stops; empty for who has no home.
std::string stops_folder();

}  // namespace sinew::cli
