// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/kinematics/serial_chain.h"

namespace sinew {

/// The tolerances that MDS-Ach calls err.
struct LegacyMdsOptions {
  double difference = 0.01;  ///< err[0]: step of the finite differences [rad].
  double step = 0.01;        ///< err[1]: length of each step towards the goal [m, rad].
  double tolerance = 0.01;   ///< err[2]: arrived when nearer than this [m, rad].
  int most_steps = 1000;

  /// As MDS-Ach chooses them: ten times coarser for all six components.
  static LegacyMdsOptions for_components(std::size_t count) {
    if (count < 6) return {};
    return {.difference = 0.1, .step = 0.1, .tolerance = 0.1};
  }
};

struct LegacyMdsResult {
  bool is_solved = false;
  int steps = 0;                  ///< Steps taken.
  JointVector q;                  ///< The last posture, also when it is not solved.
  double residual = 0.0;          ///< Distance to the goal, metres and radians in one norm.
  std::vector<double> residuals;  ///< After each step.
};

/// The inverse kinematics of MDS-Ach, step for step, so that the digits of its paper come out: a
/// forward-difference Jacobian of the first components of (x, y, z, roll, pitch, yaw), its pseudoinverse, a
/// step of fixed length towards the goal, clamped to the chain's limits. Angles are not wrapped, and metres
/// and radians are mixed, as they were. For comparison and for old programs; InverseKinematics solves more,
/// faster. Allocates.
///
/// `goal`: 1 to 6 components. `seed`: where to begin.
LegacyMdsResult solve_as_mds_did(const SerialChain& chain, std::span<const double> goal,
                                 std::span<const double> seed, const LegacyMdsOptions& options);

}  // namespace sinew
