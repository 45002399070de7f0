// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/planning/tool_path.h"
#include "sinew/trajectory/joint_path.h"
#include "sinew/trajectory/pose_path.h"

namespace sinew {

/// How one move goes through the joints: a smooth path with two more numbers beside the joints, how far the
/// tool has come along its own path [m] (standing still on joint moves), and the path's own coordinate. So
/// everything that is a function of the way can be read off the finished trajectory.
struct MoveWay {
  JointPath path;          ///< Joints, then the tool's way, then the coordinate. No pieces: nothing to do.
  bool is_tool = false;    ///< The tool keeps to `tool_path`.
  PosePath tool_path;      ///< Of T in the base.
  double deviation = 0.0;  ///< [m] By how much, at most of what was looked at.
  std::size_t move = 0;    ///< Which of the chain.

  std::size_t joints() const { return path.joint_count() - 2; }
  std::size_t tool_row() const { return path.joint_count() - 2; }
  std::size_t coordinate_row() const { return path.joint_count() - 1; }
};

/// Straight in the joints from corner to corner, in corners rounded by `radius` as a share of the shorter
/// line there; at most one line when it is zero.
MoveWay way_through(std::span<const JointVector> corners, double radius_share);

/// The cubic spline through `points`, each of as many numbers; `is_monotone`: none passes beyond its points.
Result<MoveWay> way_along_spline(std::span<const JointVector> points, bool is_monotone);

/// What a follower found along `tool_path`, as a smooth path.
MoveWay way_from(const Followed& followed, const PosePath& tool_path, const SerialChain& chain);

/// A pose path as a follower takes it; `path` must outlive it.
ToolPath tool_path_of(const PosePath& path);

/// A part of a chain of ways that is passed without a stop.
struct WayRun {
  JointPath path;  ///< As in MoveWay.
  /// Whether the coordinate is the way of the tool (tool_length.h).
  bool is_by_tool_length = false;
  /// One for each move: where it begins, and where on `path` it keeps to its own way.
  struct Section {
    std::size_t way = 0;
    double begin = 0.0;  ///< Coordinate: the middle of the blend before it.
    double end = 0.0;
    double pure_begin = 0.0;  ///< Between these no blend.
    double pure_end = 0.0;
    double tool_offset = 0.0;  ///< What the tool's way counts before it.
  };
  std::vector<Section> sections;
};

/// One way as a run.
WayRun whole_run(const MoveWay& way);

/// Joins ways that follow each other, with a blend between any two: the tool leaves the first way `radius`
/// before the corner, as measured along it, and is on the next one as far after it; between is a quintic in
/// the joints. Overlaps: if the radii at both ends of a way exceed its length together, both are multiplied
/// by length / (their sum); of the two factors of a corner the smaller counts. A blend whose tool would leave
/// the ball of `radius` about the corner is made smaller until it does not. `chain` ends in the tool.
WayRun join_ways(std::span<const MoveWay> ways, std::span<const double> radii, const SerialChain& chain);

}  // namespace sinew
