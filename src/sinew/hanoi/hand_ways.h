// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "sinew/hanoi/board.h"

namespace sinew {

/// Where a hand that points down is.
struct HandPlace {
  Vector3 p_WT = Vector3::Zero();  ///< [m] Of the fingertips.
  double heading = 0.0;            ///< [rad] About z; the fingers close across it.
};

/// Fingertips stay this far above the lower side of the disc that they hold [m].
inline constexpr double kTipDepth = 0.002;
/// What fingers leave on either side of a disc that they reach for or let go [m].
inline constexpr double kFingerRoom = 0.004;
/// What is left between a hand or the disc in it and what they go over [m].
inline constexpr double kClearance = 0.010;
/// How far a disc falls when it is let go [m].
inline constexpr double kDrop = 0.0004;

/// z above which a hand may go from one place to another [m]: over every disc that it could touch on the way,
/// and over all of them when it is not known where it comes from. What it carries is no obstacle to itself.
double free_height(const Board& board, const std::optional<HandPlace>& from, const Vector3& to,
                   int carried = 0);

/// How an arm whose base is at X_WB points when its hand is there, seen from above [rad].
double arm_heading(const Pose& X_WB, const Vector3& p_WT);

/// The heading in which fingers close on flat sides of the disc, nearest to that of the arm [rad].
double grip_heading(const BoardDisc& disc, const Pose& X_WB);

/// Where the hand has to be for the disc in it to be over `peg`, as high as it is: the disc keeps its place
/// in the hand, which turns with the arm.
HandPlace hand_for_disc_over(const Board& board, std::size_t peg, const BoardDisc& disc,
                             const HandPlace& hand, const Pose& X_WB);

}  // namespace sinew
