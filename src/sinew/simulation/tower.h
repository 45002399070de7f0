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

inline constexpr double kTowerDiscHeight = 0.015;   ///< [m]
inline constexpr double kTowerPlateSide = 0.07;     ///< [m] Of the thin plates that mark the pegs.
inline constexpr double kTowerPlateHeight = 0.002;  ///< [m]
/// Of the discs, from 1, the smallest [m].
constexpr double tower_disc_radius(int size) {
  return 0.013 + 0.004 * (size - 1);
}

/// Puts it into the scene: for each peg a thin plate peg_1, peg_2, …; discs disc_1 (the smallest), disc_2, …
/// in contact with each other, at rest. Of wood-like weight; the radius grows by 4 mm from disc to disc.
Status add_tower(const TowerOptions& options, Scene& scene);

}  // namespace sinew
