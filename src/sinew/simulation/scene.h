// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sinew/base/time.h"
#include "sinew/messages/world.h"
#include "sinew/model/robot_model.h"
#include "sinew/spatial/pose.h"

namespace sinew {

/// A robot in a scene.
struct SceneRobot {
  std::string name;  ///< Prefix of its channels; unique in the scene, without '/'.
  RobotModel model;
  Pose X_WB;                  ///< Where its root link stands.
  bool is_free = false;       ///< True: its base is a body that falls and drives; else it is bolted down.
  std::vector<double> start;  ///< [rad, m] One number per position; empty: starting_positions() of the model.
};

/// Heights on a grid: rows along y, columns along x, both from the lowest coordinate to the highest.
struct HeightGrid {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> heights;  ///< [m] Row by row, none below zero.
};

/// A thing in a scene. Its size is given as in messages/world.h (WorldObject::size).
struct SceneObject {
  std::string name;  ///< Unique in the scene, without '/'.
  ObjectKind kind = ObjectKind::Box;
  Pose X_WO;
  Vector3 size = Vector3::Zero();  ///< [m] See ObjectKind.
  bool is_free = false;            ///< True: it falls and can be carried.
  bool is_known = true;            ///< Robots know of it from the start, if it stands fast.
  double mass = 0.1;               ///< [kg] Of a free object.
  double friction = 0.8;           ///< [1] Coulomb's coefficient.
  Eigen::Vector4d colour = Eigen::Vector4d(0.7, 0.5, 0.3, 1);  ///< Red, green, blue, opacity, 0 to 1.
  std::vector<Vector3> points;                                 ///< Mesh: its corners [m], scale applied.
  HeightGrid grid;                                             ///< HeightField.
  std::string file;                                            ///< Where points or grid came from.
};

/// How much the measurements are off, one standard deviation; encoders round besides.
struct SensorNoise {
  double position = 0.0;  ///< [rad, m]
  double velocity = 0.0;  ///< [rad/s, m/s]
};

/// All that a simulation starts from.
struct Scene {
  std::string name;
  std::vector<SceneRobot> robots;
  std::vector<SceneObject> objects;
  Vector3 gravity = Vector3(0, 0, -9.81);            ///< [m/s^2]
  std::int64_t time_step_ns = kMillisecond_ns;       ///< Of the physics; a whole share of a millisecond.
  std::int64_t watchdog_ns = 100 * kMillisecond_ns;  ///< Devices stop by themselves after this silence.
  std::uint64_t seed = 1;                            ///< Of the noise.
  SensorNoise noise;
  bool has_floor = true;     ///< A plane at z = 0, named "floor".
  bool has_rest = true;      ///< Things that lie still are left alone until something comes near them.
  bool is_assisted = false;  ///< What a gripper holds is held fast until it opens, and that is told.
};

}  // namespace sinew
