// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <string>

#include "sinew/base/result.h"
#include "sinew/trajectory/joint_path.h"
#include "sinew/trajectory/lspb.h"

namespace sinew {

/// How an LSPB motion is timed: by a duration, or as fast as the limits allow.
struct LspbOptions {
  std::optional<LspbLaw::Shape> shape;      ///< None: the fastest within velocity and acceleration limits.
  std::span<const std::string> names = {};  ///< Of joints, for refusals.
};

/// From rest at `from` to rest at `to` [rad, m], all joints along one straight line in joint space, by LSPB.
/// Accelerations jump, so that the jerk limit is not kept. Refuses what passes another limit, naming joint,
/// time, value and bound. Allocates.
Result<Trajectory> lspb_motion(std::span<const double> from, std::span<const double> to,
                               std::span<const AxisLimits> limits, const LspbOptions& options = {});

/// Along `path` by LSPB: as lspb_motion(); where no shape is given, with the highest even speed and
/// acceleration that keep the limits everywhere.
Result<Trajectory> lspb_along(const JointPath& path, std::span<const AxisLimits> limits,
                              const LspbOptions& options = {});

struct QuinticOptions {
  double duration = 0.0;                    ///< [s]; zero: the shortest that keeps all limits.
  std::span<const std::string> names = {};  ///< Of joints, for refusals.
};

/// From `from` to `to`, accelerations included, with one quintic for each joint. The shortest duration is a
/// closed form from rest to rest (15/8·d/v, sqrt(10/sqrt(3)·d/a), cbrt(60·d/j), the longest over all joints);
/// between other states it is the shortest of those from which on longer ones keep the limits as well for a
/// while, found by trial to 1e-9 of it. Refuses what passes a limit, naming joint, time, value and bound.
/// Allocates.
Result<Trajectory> quintic_motion(std::span<const AxisState> from, std::span<const AxisState> to,
                                  std::span<const AxisLimits> limits, const QuinticOptions& options = {});

}  // namespace sinew
