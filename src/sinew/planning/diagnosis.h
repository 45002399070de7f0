// SPDX-License-Identifier: BSD-3-Clause
#pragma once

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
};

/// By how much all obstacles must shrink on every side until there is a path [m]: the first of 2, 5, 10, 20
/// and 50 mm; zero when there is none even then, or the time is up. The judge's world is as before
/// afterwards.
double lacking_clearance(MotionJudge& judge, PathSearch& search, const PathSearch::Task& task,
                         const DiagnosisLimits& limits);

}  // namespace sinew::planning
