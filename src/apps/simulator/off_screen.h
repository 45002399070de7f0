// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sinew/base/result.h"
#include "sinew/simulation/physics.h"

#include "apps/simulator/png_file.h"

namespace sinew {

/// From where a picture is taken: a camera that looks at a point.
struct Viewpoint {
  Vector3 target = Vector3(0, 0, 0.5);  ///< [m] In the world.
  double distance = 2.5;                ///< [m]
  double azimuth = 2.4;                 ///< [rad] Of the direction of view, about z.
  double elevation = -0.35;             ///< [rad] Of the direction of view; below zero looks down.
  bool shows_collisions = false;        ///< The shapes that collide instead of those that are seen.
};

/// Takes a picture without a screen (OSMesa). The physics must have been loaded with visuals.
Result<Picture> take_picture(const Physics& physics, const Viewpoint& view, int width, int height);

/// A viewpoint from which all that is not as large as a floor can be seen.
Viewpoint view_of_all(const Physics& physics);

}  // namespace sinew
