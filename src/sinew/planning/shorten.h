// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sinew/planning/path_search.h"

/// Shorter and smoother paths. Inside this room only.
namespace sinew::planning {

/// Sum of the Euclidean lengths of its edges [rad, m].
double length_of(const Path& path, std::size_t size);

struct ShortenOptions {
  std::size_t rounds = 64;  ///< Shortcuts tried between drawn points.
  std::uint64_t seed = 1;
  std::int64_t deadline_ns = 0;  ///< Zero: none.
};

/// Leaves corners out, cuts across between points of the path, and cuts its corners; every new edge is proven
/// clear. Never longer than before; the ends stay.
void shorten(MotionJudge& judge, const ShortenOptions& options, Path& path);

}  // namespace sinew::planning
