// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <iosfwd>
#include <string>

#include "apps/cli/command.h"

namespace sinew::cli {

extern const Command kDemoCommand;

struct DemoOptions {
  std::string space;
  double seconds = 0.0;  ///< 0: until somebody leaves it.
  bool is_once = false;
  bool is_headless = false;
  std::uint32_t discs = 3;
  std::string web{};  ///< ADDRESS:PORT of the page; empty: none.
};

/// The two-armed robot mds waves.
Status run_wave_demo(const DemoOptions& options, std::ostream& out);

}  // namespace sinew::cli
