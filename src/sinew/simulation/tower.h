// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "sinew/base/result.h"
#include "sinew/simulation/scene.h"

namespace sinew {

/// A tower of discs on the first of some pegs, as for the Towers of Hanoi.
struct TowerOptions {
  int discs = 3;              ///< 1 to kMostDiscs.
  std::vector<Vector3> pegs;  ///< [m] Middles of the places where towers may stand, on what carries them.
};

/// What a hand that opens 75 mm can grip.
inline constexpr int kMostTowerDiscs = 6;

/// Puts it into the scene: for each peg a thin plate peg_1, peg_2, …; discs disc_1 (the smallest), disc_2, …
/// in contact with each other, at rest. Of wood-like weight; the radius grows by 4 mm from disc to disc.
Status add_tower(const TowerOptions& options, Scene& scene);

}  // namespace sinew
