// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "apps/hanoi/hanoi_round.h"

namespace sinew {

/// What came of many rounds.
struct HanoiTotal {
  static constexpr double kMostOffset = 0.002;  ///< [m] That a disc of a tower may be off its peg.

  int rounds = 0;
  int solved = 0;             ///< Of them, with towers within kMostOffset.
  double worst_offset = 0.0;  ///< [m]
  std::vector<double> seconds;
  double speed_share = 0.0;
  double tool_speed = 0.0;  ///< [m/s]
  int moves = 0;
  int troubles = 0;
  std::uint64_t assisted = 0;
  double simulated = 0.0;  ///< [s]
  double wall = 0.0;       ///< [s]

  void add(const HanoiRound& round);
  double times_real() const { return wall > 0.0 ? simulated / wall : 0.0; }
};

/// For programs: one object.
std::string json_text(const HanoiTotal& total);
/// For people: some lines.
std::string total_text(const HanoiTotal& total);

}  // namespace sinew
