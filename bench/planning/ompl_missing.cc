// SPDX-License-Identifier: BSD-3-Clause
// In the place of ompl.cc where OMPL is not installed.
#include "rival.h"

namespace sinew::bench {

std::vector<std::unique_ptr<Contestant>> make_rivals(const PlanSetting&) {
  return {};
}

}  // namespace sinew::bench
