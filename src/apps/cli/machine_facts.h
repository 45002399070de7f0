// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "sinew/base/histogram.h"

namespace sinew::cli {

/// One thing that was looked at.
struct Finding {
  std::string name;
  std::string value;
  bool is_fit = true;
  std::string remedy = {};  ///< What to do about it; also where it is fit but could be better.
};

/// How late this thread wakes up at 1 kHz, sleeping to absolute times as the controller does, over `seconds`.
Histogram measure_wake_ups(double seconds);

/// Kernel, clock source, cores, room for channels.
std::vector<Finding> look_at_machine();

/// The versions of the packages that packages.txt names, found above this program.
std::vector<Finding> look_at_packages();

}  // namespace sinew::cli
