// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sinew::bench {

/// What one case took, call by call.
struct TrajectoryRow {
  std::string name;
  std::size_t axes = 0;
  std::vector<double> times;  ///< [µs]
};

/// The generators of whole trajectories for seven joints: any state to any state, time-optimal over 100
/// points of a path, jerk-limited through 20 points (fewer calls of that, which takes longest).
std::vector<TrajectoryRow> measure_generators(int count, std::uint64_t seed);

}  // namespace sinew::bench
