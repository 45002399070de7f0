// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/spatial/pose.h"

struct mjModel_;
struct mjData_;

namespace sinew {

/// Keeps the shapes that are far from all they may touch out of MuJoCo's search for contacts.
///
/// MuJoCo sorts all bodies along one line in every step; of a robot that stands upright nearly all overlap
/// there. Here every pair that may touch is looked at once in many steps: a shape without a partner within
/// kSkin takes no part until some point of a shape has moved by half of that. What may touch always takes
/// part, so the contacts and their order are the same; a test compares them. Of what rests it tells who comes
/// near. Takes all memory when made.
class NearGeoms {
 public:
  NearGeoms() = default;
  /// Notes which pairs of shapes may touch; all take part until the first update().
  explicit NearGeoms(const mjModel_& model);

  /// Whether some shape has moved so far since the last update() that others may have come near.
  bool is_outdated(const mjData_& data) const;

  /// Chooses anew who takes part. True: one does that did not before, so that contacts must be found again.
  bool update(mjModel_& model, const mjData_& data);

  /// From the next update() on a shape that rests takes no part.
  void set_resting(int geom, bool rests) { rests_[static_cast<std::size_t>(geom)] = rests ? 1 : 0; }
  /// A shape that rests and that one which moves has come near to, as of the last update(); negative: none.
  int find_approached(const mjModel_& model, const mjData_& data) const;
  /// Whether a shape that moves is near to this one, or has only just left; `is_calm`, one per body: not
  /// counting theirs.
  bool is_approached(const mjModel_& model, const mjData_& data, int geom,
                     std::span<const char> is_calm) const;

 private:
  struct Pair {
    int a = 0;
    int b = 0;
  };
  bool moves(const mjModel_& model, int geom) const;
  bool takes_part(const mjModel_& model, const mjData_& data, const Pair& pair);
  struct Mask {
    int contype = 0;
    int conaffinity = 0;
  };
  struct Seen {
    Vector3 middle = Vector3::Zero();  ///< [m]
    Matrix3 axes = Matrix3::Zero();
    double reach = 0.0;  ///< [m] How far from the middle it matters how it is turned.
  };

  std::vector<Pair> pairs_;
  std::vector<Pair> watched_;  ///< Within kSkin: the first rests, the second moves.
  std::vector<char> rests_;
  std::vector<Mask> masks_;     ///< As the scene has them, one per shape.
  std::vector<Seen> seen_;      ///< Where the shapes were.
  std::vector<char> is_near_;   ///< As of the last update().
  std::vector<char> was_near_;  ///< As of the one before.
};

}  // namespace sinew
