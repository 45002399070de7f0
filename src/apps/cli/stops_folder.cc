// SPDX-License-Identifier: BSD-3-Clause
#include "apps/cli/stops_folder.h"

#include <cstdlib>

namespace sinew::cli {

std::string stops_folder() {
  const char* state = std::getenv("XDG_STATE_HOME");
  const char* home = std::getenv("HOME");
  if (state != nullptr && *state != '\0') return std::string(state) + "/sinew/stops";
  return home == nullptr ? std::string() : std::string(home) + "/.local/state/sinew/stops";
}

}  // namespace sinew::cli
