// SPDX-License-Identifier: BSD-3-Clause
// In the place of ompl_plan.cc where OMPL is not installed.
#include "apps/cli/ompl_plan.h"

namespace sinew::cli {

std::vector<std::string> ompl_planners() {
  return {};
}

PlanResult plan_with_ompl(Planner&, const RobotModel&, const OmplTask&) {
  return {.status = PlanStatus::InvalidInput, .reason = "this build has no OMPL"};
}

}  // namespace sinew::cli
