// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/hanoi/towers.h"
#include "sinew/messages/world.h"
#include "sinew/spatial/pose.h"

namespace sinew {

/// A disc where it really is.
struct BoardDisc {
  std::string name;
  int size = 0;            ///< 1: the smallest.
  double radius = 0.0;     ///< [m]
  double height = 0.0;     ///< [m]
  Pose X_WO;               ///< Of its middle.
  bool is_astray = false;  ///< On no peg: beside one, in the air, or on its edge.

  double bottom() const { return X_WO.position.z() - 0.5 * height; }  ///< [m] z of its lower side.
  double top() const { return X_WO.position.z() + 0.5 * height; }     ///< [m] z of its upper side.
};

/// Pegs and discs as a world shows them: places called peg_1, peg_2, … and cylinders called disc_1, disc_2, …
///
/// A disc belongs to a peg when it lies flat, with its middle less than kCapture from the peg's, on the peg's
/// place or on the disc below.
struct Board {
  std::int64_t stamp_ns = 0;     ///< When it was so (robot time).
  std::vector<Vector3> pegs;     ///< [m] Where the middle of the lowest disc's lower side belongs.
  std::vector<BoardDisc> discs;  ///< The smallest first.
  Towers towers;                 ///< Which disc is on which peg.

  static constexpr double kCapture = 0.015;  ///< [m]

  const BoardDisc& disc(int size) const { return discs[static_cast<std::size_t>(size) - 1]; }
  /// z of what a disc put on that peg would come to lie on [m].
  double level(std::size_t peg) const;
  /// How far a disc's middle is from the peg's axis [m].
  double offset(const BoardDisc& disc, std::size_t peg) const;
};

/// Refuses a world without two or more pegs and one to nine discs.
Result<Board> read_board(const World& world);

}  // namespace sinew
