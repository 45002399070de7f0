// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "sinew/simulation/near_geoms.h"
#include "sinew/spatial/pose.h"

struct mjModel_;
struct mjData_;

namespace sinew {

/// Where two things touched when they came to rest.
struct RestingTouch {
  int geom_a = -1;
  int geom_b = -1;
  double depth = 0.0;               ///< [m] How far they are pressed into each other.
  Vector3 point = Vector3::Zero();  ///< [m] In the world.
  int heap = 0;                     ///< Things that touch rest, and wake, together.
};

/// Things that lie still need no computing: they stay where they are until something comes near them.
///
/// A heap is what touches, through others if need be. When nothing in it has moved for a while, no robot
/// touches it and none is near, all of it rests: no contact of it is looked for, its weight is borne, and its
/// place stays the same to the last bit. It takes part again before anything that moves could touch it, so
/// nothing ever touches a thing that rests. Allocates only when things come to rest.
class RestingThings {
 public:
  RestingThings() = default;
  /// `bodies`: of free things, one joint each.
  RestingThings(const mjModel_& model, std::span<const int> bodies);

  bool is_resting(int body) const { return heap_of_[static_cast<std::size_t>(body)] != 0; }
  /// Of all that rest.
  std::span<const RestingTouch> touches() const { return touches_; }

  /// Before a step: what rests falls no more than it would with something below it.
  void bear(mjData_& data) const;
  /// After the step, before positions are refreshed: what rests is where it was, and others may have come to
  /// rest. True: some have.
  bool settle(const mjModel_& model, mjData_& data, NearGeoms& near);

  /// That body and all of its heap move again.
  void wake(const mjModel_& model, mjData_& data, int body, NearGeoms& near);
  void wake_all(const mjModel_& model, mjData_& data, NearGeoms& near);

 private:
  struct Thing {
    int body = -1;
    int qpos = -1;
    int dof = -1;
    int calm_steps = 0;       ///< For so long it has not moved.
    std::size_t mate = 0;     ///< Another of its heap, or itself: a tree, while heaps are found.
    bool is_kept_up = false;  ///< A robot touches it, or it moves: its heap does not rest.
    double place[7] = {};     ///< Where it rests.
  };

  std::size_t root_of(std::size_t thing);
  void note_calm(const mjData_& data);
  bool find_heaps(const mjModel_& model, const mjData_& data, const NearGeoms& near);
  void join(const mjModel_& model, int body_a, int body_b);
  void lay_down(const mjModel_& model, mjData_& data, NearGeoms& near);

  std::vector<Thing> things_;
  std::vector<std::size_t> thing_of_;  ///< One per body: into things_, kNone for others.
  std::vector<int> heap_of_;           ///< One per body: the heap with which it rests; 0: it does not.
  std::vector<char> is_calm_;          ///< One per body, while heaps are found: it could rest.
  int most_calm_steps_;                ///< A thing rests after so many.
  std::vector<RestingTouch> touches_;
};

}  // namespace sinew
