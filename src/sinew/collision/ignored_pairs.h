// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "sinew/collision/robot_shapes.h"

namespace sinew {

struct PairSearchOptions {
  std::size_t samples = 10000;  ///< Configurations drawn within limits.
  std::uint64_t seed = 1;       ///< The same seed, the same pairs.
  /// [m] Pairs that stay further apart than this are ignored as "never".
  double clearance = 0.02;
  /// Told how much is done, 0 to 1.
  std::function<void(double done)> progress{};
};

/// What was learnt of a pair of links that the model does not ignore yet.
struct PairFinding {
  std::size_t link_a = kNone;
  std::size_t link_b = kNone;
  std::size_t hits = 0;  ///< Samples in which the two collide.
  double nearest = 0.0;  ///< [m] The smallest distance found; an upper bound while hits is zero.
  double at_home =
      std::numeric_limits<double>::infinity();  ///< [m] Where less than 4 mm; else some lower bound.
  bool is_adjacent = false;
};

struct PairSearch {
  std::vector<IgnoredPair> ignored;   ///< To be added to the model's own, with the reason.
  std::vector<PairFinding> findings;  ///< Of every pair looked at.
};

/// Finds the pairs of links that need no check, besides those that the model ignores already:
/// - "adjacent": a joint apart, what has no shape in between not counted;
/// - "always": they collide in each of the samples;
/// - "home": they are nearer than 4 mm in the posture "home", so a check would never let the robot go;
/// - "never": in no sample, and a descent from the nearest ones, for each pair by itself, comes no nearer
/// than
///   `clearance`, or than 1 mm where at most three joints lie between. Hands that meet in one of a million
///   postures are kept, as sampling alone would not;
/// - "constant": nearer than that, but never nearer than 1 mm, and nowhere 2 mm further: a check could only
/// stop
///   the robot.
PairSearch find_ignored_pairs(const RobotShapes& shapes, const PairSearchOptions& options = {});

}  // namespace sinew
