// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "sinew/base/interruption.h"
#include "sinew/base/result.h"
#include "sinew/base/time.h"
#include "sinew/collision/robot_shapes.h"

namespace sinew {

/// What a motion under way does when something comes into its way.
enum class OnObstacle : std::uint8_t {
  Stop,    ///< It stops before it, smoothly, and has failed.
  Slow,    ///< It goes on slowly, waits before it, and goes on when the way is free again.
  Replan,  ///< It stops, and looks for another way to the same goal.
};

struct MotionSettings {
  double margin = 0.01;                           ///< [m] What the controller's guard keeps.
  MeshPoints mesh_points{};                       ///< Without it, no mesh has a shape.
  double tolerance = 1e-3;                        ///< [rad, m] A joint this near to its goal has arrived.
  double rough_tolerance = 1e-2;                  ///< [rad, m] And this near when it gets no nearer.
  std::int64_t ahead_ns = 250 * kMillisecond_ns;  ///< How far ahead of time segments are sent.
  std::int64_t settle_ns = 2 * kSecond_ns;        ///< For the joints to arrive after the last reference.
  std::int64_t patience_ns = 10 * kSecond_ns;     ///< For others' joints to rest, and for ways to clear.
  OnObstacle on_obstacle = OnObstacle::Stop;
  double payload = 0.0;  ///< [kg] What the robot may carry; zero: not known, and PAYLOAD has no effect.
  /// Asked while something is planned, which may take long: whether a request has come that must not wait.
  /// Then planning is begun anew with a later step(). None: it goes on to its end, and the same requests
  /// always have the same answers.
  Interruption interruption{};
};

/// Reads the section `motion` of robot.yaml from its keys and values into `settings`; a key that nobody knows
/// is refused with the nearest that is.
Status read_motion(const std::map<std::string, std::string>& section, MotionSettings& settings);

}  // namespace sinew
