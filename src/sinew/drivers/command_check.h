// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstddef>

#include "sinew/base/realtime.h"
#include "sinew/messages/joints.h"

namespace sinew {

/// True when a device may be given this command: every number for the joints it moves is finite.
inline bool is_sound(const JointCommand& command, std::size_t joint_count) SINEW_REALTIME {
  if (command.joint_count != joint_count) return false;
  for (std::size_t i = 0; i < joint_count; ++i) {
    if ((command.moved_mask >> i & 1) == 0) continue;
    if (!std::isfinite(command.position[i]) || !std::isfinite(command.velocity[i])) return false;
  }
  return true;
}

/// True when every number that the device measured is finite.
inline bool is_sound(const JointState& state) SINEW_REALTIME {
  if (state.joint_count > kMaxJoints) return false;
  for (std::size_t i = 0; i < state.joint_count; ++i)
    if (!std::isfinite(state.position[i]) || !std::isfinite(state.velocity[i])) return false;
  return true;
}

}  // namespace sinew
