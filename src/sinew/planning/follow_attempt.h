// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "sinew/planning/tool_path.h"

namespace sinew {

/// What one attempt goes along: from s = `from` to s = `to`, either way.
struct Stretch {
  double from = 0.0;
  double to = 1.0;
  /// Postures at even shares of the whole path, from 0 to 1, that joints to spare keep near to, instead of
  /// keeping away from their limits; may be empty.
  std::span<const JointVector> guide{};
};

/// Follows `path` along `stretch` from one posture; `ik` tells, where it gets no further, whether any posture
/// would. In the answer u grows from zero and ds_du has the sign of the direction.
Followed attempt_to_follow(const SerialChain& chain, const InverseKinematics& ik, const ToolPath& path,
                           const Stretch& stretch, std::span<const double> start,
                           const FollowOptions& options);

}  // namespace sinew
