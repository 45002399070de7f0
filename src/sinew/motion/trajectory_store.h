// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/messages/trajectory.h"
#include "sinew/motion/timed_points.h"

namespace sinew {

/// The trajectories that have come in parts, the newest few. One thread.
class TrajectoryStore {
 public:
  static constexpr std::size_t kMostKept = 8;

  /// Puts a part to its trajectory. One that cannot be understood spoils its trajectory, and find() says why.
  void take(const TrajectoryPart& part);

  /// The trajectory `number` of `who`, or what of it is missing or wrong.
  Result<TimedPoints> find(std::string_view who, std::uint64_t number) const;

 private:
  struct Kept {
    std::string who;
    std::uint64_t number = 0;
    TimedPoints trajectory;
    std::vector<bool> has_come;
    std::string fault;
  };
  static void fill(Kept& kept, const TrajectoryPart& part);

  std::deque<Kept> kept_;  // the oldest first
};

}  // namespace sinew
