// SPDX-License-Identifier: BSD-3-Clause
#include "apps/xach/followed_joints.h"

#include <algorithm>

namespace sinew {

void FollowedJoints::note_sent(const JointReference& reference) {
  sent_[count_++ % kKept] = reference;
}

bool FollowedJoints::is_sent(std::size_t joint, double position) const {
  return std::any_of(sent_.begin(), sent_.begin() + std::min(count_, kKept), [&](const JointReference& sent) {
    return (sent.joint_mask >> joint & 1) != 0 && sent.position[joint] == position;
  });
}

std::uint64_t FollowedJoints::still_followed(const JointCommand& command, std::uint64_t mask) {
  obeyed_mask_ &= mask;
  const bool follows_on = command.cycle == cycle_ + 1;
  for (std::size_t i = 0; i < command.joint_count; ++i) {
    const std::uint64_t bit = std::uint64_t{1} << i;
    if ((mask & bit) == 0) continue;
    if (is_sent(i, command.wanted[i])) {
      obeyed_mask_ |= bit;
      continue;
    }
    // where nobody wants anything, as after a stop, what was sent before is told as wanted
    const bool is_anothers = follows_on && command.wanted[i] != position_[i];
    if ((obeyed_mask_ & bit) != 0 && is_anothers) mask &= ~bit;
  }
  obeyed_mask_ &= mask;
  position_ = command.position;
  cycle_ = command.cycle;
  return mask;
}

}  // namespace sinew
