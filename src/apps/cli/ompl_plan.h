// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/planning/planner.h"

namespace sinew::cli {

/// OMPL's planners that search from both ends, by the names that `--planner` takes; none in a build without
/// OMPL.
std::vector<std::string> ompl_planners();

/// What one of them shall do, in the planned joints [rad, m].
struct OmplTask {
  std::string planner;  ///< One of ompl_planners().
  std::vector<double> start;
  std::vector<std::vector<double>> goals;  ///< Any of them; at least one.
  std::uint64_t seed = 1;
  double time_limit = 1.0;  ///< [s] For the search, and once more for its simplification.
};

/// Searches and simplifies with OMPL on the checks of `planner`, which has its world and its other joints:
/// every way of a path that is returned is proven clear, as those of its own are.
PlanResult plan_with_ompl(Planner& planner, const RobotModel& model, const OmplTask& task);

}  // namespace sinew::cli
