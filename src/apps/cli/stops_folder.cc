// SPDX-License-Identifier: BSD-3-Clause
#include "apps/cli/stops_folder.h"

#include <cstdlib>

namespace sinew::cli {

std::string stops_folder(const std::string& space, const std::string& robot) {
  const char* state = std::getenv("XDG_STATE_HOME");
  const char* home = std::getenv("HOME");
  const std::string of_robot = "/sinew/stops/" + space + "/" + robot;
  if (state != nullptr && *state != '\0') return state + of_robot;
  return home == nullptr ? std::string() : std::string(home) + "/.local/state" + of_robot;
}

}  // namespace sinew::cli
