// SPDX-License-Identifier: BSD-3-Clause
#include "apps/hanoi/hanoi_total.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace sinew {
namespace {

double mean_of(const std::vector<double>& numbers) {
  if (numbers.empty()) return 0.0;
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

double longest_of(const std::vector<double>& numbers) {
  return numbers.empty() ? 0.0 : *std::ranges::max_element(numbers);
}

}  // namespace

void HanoiTotal::add(const HanoiRound& round) {
  ++rounds;
  if (round.is_solved && round.worst_offset <= kMostOffset) ++solved;
  worst_offset = std::max(worst_offset, round.worst_offset);
  seconds.insert(seconds.end(), round.seconds.begin(), round.seconds.end());
  speed_share = std::max(speed_share, round.speed_share);
  tool_speed = std::max(tool_speed, round.tool_speed);
  moves += round.moves;
  troubles += round.troubles;
  assisted += round.assisted;
  simulated += round.simulated;
}

std::string json_text(const HanoiTotal& total) {
  return fmt::format(
      "{{\"rounds\": {}, \"solved\": {}, \"worst_offset_mm\": {:.3f}, \"seconds_per_solution\": {:.2f}, "
      "\"wall_seconds\": {:.2f}, \"assisted\": {}, \"longest_solution\": {:.2f}, \"moves\": {}, "
      "\"troubles\": {}, \"speed_share\": {:.4f}, \"tool_speed_mm_s\": {:.1f}, \"simulated_seconds\": "
      "{:.1f}, \"times_real\": {:.2f}}}\n",
      total.rounds, total.solved, 1e3 * total.worst_offset, mean_of(total.seconds), total.wall,
      total.assisted, longest_of(total.seconds), total.moves, total.troubles, total.speed_share,
      1e3 * total.tool_speed, total.simulated, total.times_real());
}

std::string total_text(const HanoiTotal& total) {
  return fmt::format(
      "{} of {} round trips solved; {} moves, {} troubles on the way, {} grasps assisted\n"
      "worst disc {:.2f} mm from the middle of its peg\n"
      "a solution takes {:.1f} simulated seconds, the longest {:.1f}; most of a joint's speed limit: {:.1f} "
      "%, the hand up "
      "to {:.0f} mm/s\n"
      "{:.0f} s simulated in {:.1f} s: {:.1f} x real\n",
      total.solved, total.rounds, total.moves, total.troubles, total.assisted, 1e3 * total.worst_offset,
      mean_of(total.seconds), longest_of(total.seconds), 100.0 * total.speed_share, 1e3 * total.tool_speed,
      total.simulated, total.wall, total.times_real());
}

}  // namespace sinew
