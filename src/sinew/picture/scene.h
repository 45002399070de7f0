// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Inside the room: all that is in a picture.

#include <span>
#include <vector>

#include "sinew/picture/camera.h"
#include "sinew/picture/solids.h"

namespace sinew::picture {

struct Scene {
  std::vector<Facet> robot;
  std::vector<Facet> axes;  ///< Drawn over everything.
  Ball ball;                ///< Around both.
  double ground = 0.0;      ///< Height of the ground [m].
  std::vector<Remark> remarks;
};

/// Refuses joint positions that are not finite or not as many as the robot has.
Result<Scene> make_scene(const RobotModel& model, std::span<const double> q, const PictureOptions& options);

}  // namespace sinew::picture
