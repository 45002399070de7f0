// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string_view>

#include "apps/cli/console_session.h"

namespace sinew::cli {

/// A command of the console, as a row: its help and its completion come from here.
struct ConsoleVerb {
  std::string_view name;
  std::string_view usage;
  std::string_view help;
  Status (ConsoleSession::*run)(ConsoleWords words) = nullptr;
  bool needs_robot = true;  ///< False: works when the controller has ended.

  static std::span<const ConsoleVerb> all();
};

}  // namespace sinew::cli
