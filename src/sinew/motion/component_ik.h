// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>

#include "sinew/kinematics/serial_chain.h"

namespace sinew {

/// A pose of the tool T in the base B as six numbers: x, y, z [m], roll, pitch, yaw [rad].
using PoseComponents = std::array<double, 6>;

PoseComponents components_of(const Pose& X_BT);
Pose pose_from(const PoseComponents& components);

/// Some of the six: bits 0 to 5 of `mask` say which must be met.
struct ComponentGoal {
  PoseComponents value{};
  std::uint32_t mask = 63;
};

struct ComponentError {
  double position = 0.0;  ///< [m] In the components asked for.
  double rotation = 0.0;  ///< [rad] In the components asked for.
};

/// How far X_BT is from the goal.
ComponentError error_of(const ComponentGoal& goal, const Pose& X_BT);

struct ComponentAnswer {
  bool is_solved = false;
  JointVector q;  ///< Within limits; the nearest found when not solved.
  ComponentError error;
  int steps = 0;
};

/// Joint positions that meet some of the components, the others are free: damped Newton steps from `start`.
/// For goals such as "x = 0.45 m, pitch = 90 deg", which no single target pose expresses.
ComponentAnswer reach_components(const SerialChain& chain, const ComponentGoal& goal,
                                 const JointVector& start);

}  // namespace sinew
