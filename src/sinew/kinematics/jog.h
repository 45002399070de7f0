// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "sinew/kinematics/serial_chain.h"
#include "sinew/spatial/twist.h"

namespace sinew {

struct JogOptions {
  double length = 0.3;  ///< What weighs as much as a radian [m].
  double singular_from =
      0.05;                   ///< Smallest singular value (lengths in `length`) below which damping sets in.
  double most_damping = 0.1;  ///< At the singularity itself.
  double limit_margin = 0.1;  ///< How far before a limit a joint begins to slow down [rad, m].
};

/// Joint velocities for a jog, and what became of the wish.
struct JogResult {
  JointVector velocity;  ///< [rad/s, m/s] Within the velocity limits; none drives a joint beyond its range.
  double scale = 1.0;    ///< How much slower than wished, 0 to 1, because of velocity limits.
  double smallest_singular_value = 0.0;  ///< Zero at a singularity.
  bool is_near_singularity = false;
  bool is_near_limit = false;  ///< A joint slows down before its limit.
};

/// Differential kinematics for jogging: joint velocities that move the tool with V_BT, as well as the arm can
/// where it stands. Damping grows smoothly towards singularities, so velocities stay finite and continuous; a
/// joint that nears a limit slows down, and the others take over what they can; direction is kept where
/// velocity limits bind.
///
/// Does not allocate. A wish or posture that is not finite gives zero velocity.
JogResult jog(const SerialChain& chain, std::span<const double> q, const Twist& V_BT,
              const JogOptions& options = {}) SINEW_REALTIME;

}  // namespace sinew
