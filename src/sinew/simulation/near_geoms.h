// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "sinew/spatial/pose.h"

struct mjModel_;
struct mjData_;

namespace sinew {

/// Keeps the shapes that are far from all they may touch out of MuJoCo's search for contacts.
///
/// MuJoCo sorts all bodies along one line in every step; of a robot that stands upright nearly all overlap
/// there. Here every pair that may touch is looked at once in many steps: a shape without a partner within
/// kSkin takes no part until some shape has moved by half of that. What may touch always takes part, so the
/// contacts and their order are the same; a test compares them. Takes all memory when made.
class NearGeoms {
 public:
  NearGeoms() = default;
  /// Notes which pairs of shapes may touch; all take part until the first update().
  explicit NearGeoms(const mjModel_& model);

  /// Whether some shape has moved so far since the last update() that others may have come near.
  bool is_outdated(const mjData_& data) const;

  /// Chooses anew who takes part. True: one does that did not before, so that contacts must be found again.
  bool update(mjModel_& model, const mjData_& data);

 private:
  struct Pair {
    int a = 0;
    int b = 0;
  };
  struct Mask {
    int contype = 0;
    int conaffinity = 0;
  };

  std::vector<Pair> pairs_;
  std::vector<Mask> masks_;     ///< As the scene has them, one per shape.
  std::vector<Vector3> seen_;   ///< [m] Where the middles of the shapes were.
  std::vector<char> is_near_;   ///< As of the last update().
  std::vector<char> was_near_;  ///< As of the one before.
};

}  // namespace sinew
