// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace sinew::cli {

/// Where the seconds before stops of a robot are saved unless somebody says otherwise:
/// $XDG_STATE_HOME/sinew/stops/SPACE/ROBOT, else below ~/.local/state; empty for who has no home. A folder
/// for each, because who may watch one robot may not watch all.
std::string stops_folder(const std::string& space, const std::string& robot);

}  // namespace sinew::cli
