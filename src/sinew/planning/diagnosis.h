// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>

#include "sinew/planning/path_search.h"

/// Why there is no path. Inside this room only.
namespace sinew::planning {

/// A pair that was in the way, and its share of all the ways that were blocked.
struct Blocker {
  Contact contact;
  double share = 0.0;
};
Blocker most_frequent_blocker(MotionJudge& judge);

struct DiagnosisLimits {
  std::size_t most_iterations = 0;
  double seconds = 0.0;
  /// As in SearchLimits; what is not known by then stays unknown.
  std::function<bool(std::size_t iterations)> is_cancelled{};
};

struct LackingClearance {
  double clearance = 0.0;  ///< [m] Zero: there is no path even with the most, or it was cancelled.
  bool is_cancelled = false;
};

/// By how much all obstacles must shrink on every side until there is a path: the first of 2, 5, 10, 20 and
/// 50 mm; zero when there is none even then, or the time is up. The judge's world is as before afterwards.
LackingClearance lacking_clearance(MotionJudge& judge, PathSearch& search, const PathSearch::Task& task,
                                   const DiagnosisLimits& limits);

}  // namespace sinew::planning
