// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace sinew {

/// The puzzle: on each peg the sizes of its discs, the lowest first. Sizes are told apart; one is the
/// smallest.
struct Towers {
  std::vector<std::vector<int>> pegs;

  friend bool operator==(const Towers&, const Towers&) = default;
};

/// The topmost disc of one peg goes to another.
struct TowerMove {
  int disc = 0;
  std::size_t from = 0;
  std::size_t to = 0;

  friend bool operator==(const TowerMove&, const TowerMove&) = default;
};

/// All discs of these sizes on one of `peg_count` pegs.
Towers whole_tower(int disc_count, std::size_t peg_count, std::size_t peg);

/// Whether a disc of that size may be put there: on nothing, or on a larger one.
bool may_lie(const Towers& towers, int disc, std::size_t peg);

/// The shortest way to have all discs on peg `goal`, each on a larger one; begins anywhere, also where
/// somebody has put a disc on a smaller one. Nothing when there is no way.
std::optional<std::vector<TowerMove>> shortest_way(const Towers& from, std::size_t goal);

/// Where a disc that lies on no peg is best put: the peg that may take it from which the shortest way to
/// `goal` is left. Nothing when no peg may take it.
std::optional<std::size_t> best_peg_for(int disc, const Towers& others, std::size_t goal);

}  // namespace sinew
