// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "sinew/kinematics/serial_chain.h"
#include "sinew/spatial/twist.h"

namespace sinew {

/// The numbers of a vector that outlives them.
inline std::span<const double> joint_numbers(const JointVector& q) {
  return {q.data(), static_cast<std::size_t>(q.size())};
}

/// Joint velocities that move the tool exactly as wished, or how much of the wish the arm cannot do.
struct ToolRates {
  JointVector velocity;                  ///< [rad/s, m/s] The smallest that do.
  double lost = 0.0;                     ///< [1] Share of the wish that no joint velocity fulfils.
  double smallest_singular_value = 0.0;  ///< Zero at a singularity; of an arm with fewer joints, of its own.
};

/// Velocities for the twist V_BT of the tool at `q`. Unlike jog(), nothing is damped: straight stays
/// straight, velocities grow towards singularities, and directions that are all but gone are given up
/// (`lost`). An arm with fewer than six joints moves its tool's origin as wished, and turns it as well as it
/// then can. `q` and the twist must be finite; does not allocate. `soft_below`: directions with
/// smaller singular values are damped, for wishes that carry noise.
ToolRates tool_rates(const SerialChain& chain, std::span<const double> q, const Twist& V_BT,
                     double soft_below = 0.0);

/// How the tool moves.
struct ToolMotion {
  Pose X_BT;
  Twist velocity;      ///< [m/s, rad/s]
  Twist acceleration;  ///< [m/s^2, rad/s^2]
};

/// The motion of the tool that comes of one of the joints.
ToolMotion tool_motion(const SerialChain& chain, const JointVector& q, const JointVector& velocity,
                       const JointVector& acceleration);

/// How the joints move with the tool, and how that changes.
struct JointRates {
  JointVector velocity;      ///< [rad/s, m/s]
  JointVector acceleration;  ///< [rad/s^2, m/s^2]
};
JointRates joint_rates(const SerialChain& chain, const JointVector& q, const Twist& velocity,
                       const Twist& acceleration, double soft_below = 0.0);

/// The motion of the joints that comes of one of the tool.
struct JointMotionState {
  JointVector q;
  JointVector velocity;
  JointVector acceleration;
  bool is_found = false;
};

/// The joints near `guess` that put the tool where `tool` has it and move it so. An arm with fewer than six
/// joints meets its position alone.
JointMotionState joints_for(const SerialChain& chain, const ToolMotion& tool, const JointVector& guess);

}  // namespace sinew
