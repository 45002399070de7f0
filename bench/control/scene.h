// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/collision/robot_shapes.h"
#include "sinew/control/settings.h"
#include "sinew/messages/joints.h"
#include "sinew/messages/world.h"
#include "sinew/model/load_robot.h"

namespace sinew::bench {

/// A robot among things, and where its arms are sent to and fro.
struct Scene {
  LoadedRobot robot;
  RobotControl settings;
  std::unique_ptr<RobotShapes> shapes;
  World world;
  std::vector<JointArray> targets;  ///< Of the joints in use; none of them touches anything.
};

/// MDS at home among `objects` boxes, spheres and cylinders of which none is nearer than 5 cm, and postures
/// drawn within a third of the ranges around home. The same for the same seed.
Result<std::unique_ptr<Scene>> make_scene(std::size_t objects, unsigned seed);

}  // namespace sinew::bench
