// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <span>
#include <string>

#include "rival.h"

namespace sinew::bench {

/// Re-checks the paths of planners, independently of Sinew's checker: the shapes of the URDF, plain forward
/// kinematics, spheres by their centres, all else by FCL. Only with FCL.
class PathCheck {
 public:
  /// `setting` must outlive this object.
  explicit PathCheck(const PlanSetting& setting);
  ~PathCheck();

  void set_world(const Obstacles& world);

  /// `q`: the planned joints.
  bool is_clear(std::span<const double> q);

  /// What a path touches first, and where: "link 'forearm' and 'shelf' at 40 % of edge 2"; empty: nothing. It
  /// is looked at in steps in which nothing moves more than 1 mm; steps that the distances found at one look
  /// show to be clear are left out.
  std::string first_hit(const Corners& path);

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace sinew::bench
