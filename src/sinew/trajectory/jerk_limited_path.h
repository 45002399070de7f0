// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <span>
#include <string>

#include "sinew/base/interruption.h"
#include "sinew/base/result.h"
#include "sinew/trajectory/joint_path.h"

namespace sinew {

struct JerkLimitedOptions {
  std::size_t points = 0;  ///< Of the grid; zero: as many as the path's pieces suggest, at least 100.
  /// The highest speed along the path at a coordinate of it, for instance by the tool's limits; none: no
  /// bound.
  std::function<double(double s)> speed_limit = nullptr;
  /// Parts of the path with limits of their own, none of which may be above those that hold everywhere; none:
  /// the path is one part. Near to where two meet, as far as the speed goes within the time in which the
  /// acceleration is built up, the accelerations are the lower ones.
  std::span<const LimitSection> sections = {};
  /// Where else to look, in any order: near to where the speed has to change within a short way.
  std::span<const double> further_points = {};
  Interruption interruption = nullptr;      ///< Asked now and then: then there is no motion.
  std::span<const std::string> names = {};  ///< Of joints, for refusals.
};

/// A motion along a path with jerk limits.
struct JerkLimitedMotion {
  Trajectory trajectory;
  /// How long the fastest motion without a jerk limit takes on the same path [s]: no motion with one is
  /// faster, so that trajectory.length() / shortest says how far from the optimum this one is at most.
  double shortest = 0.0;
};

/// Along `path` from rest to rest, within the velocity, acceleration, jerk and position limits of each joint,
/// checked at every instant.
///
/// The fastest motion without jerk limits (PathTiming) is averaged over a time window, which bounds its jerk;
/// where averaging passes a limit, the speed is lowered there and the fastest motion is found again; so also
/// where the polynomials that come of it pass one. Of several windows the one with the shortest motion is
/// taken, and run as much slower as rounding and the grid have left, which is little: a narrow bend slows
/// down what is near to it, not the whole path. On a straight line this is the time-optimal motion whenever
/// its full velocity is reached.
///
/// Refuses paths whose second derivative jumps (monotone splines, parabolic blends): they have no continuous
/// acceleration. Allocates.
Result<JerkLimitedMotion> jerk_limited_along(const JointPath& path, std::span<const AxisLimits> limits,
                                             const JerkLimitedOptions& options = {});

/// Through `points`, with continuous acceleration: along their natural cubic spline.
Result<JerkLimitedMotion> jerk_limited_through(const Waypoints& points, std::span<const AxisLimits> limits,
                                               const JerkLimitedOptions& options = {});

}  // namespace sinew
