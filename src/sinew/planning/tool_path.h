// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/interruption.h"
#include "sinew/kinematics/inverse_kinematics.h"
#include "sinew/spatial/twist.h"

namespace sinew {

class SpareJoint;

/// The numbers of a joint vector, which must outlive their use.
inline std::span<const double> numbers(const JointVector& q) {
  return {q.data(), static_cast<std::size_t>(q.size())};
}

/// A way of the tool T in the base B, by a share s of it from 0 to 1. Smooth: its corners are ends of ways.
struct ToolPath {
  std::function<Pose(double s)> X_BT;
  std::function<Twist(double s)> V_BT;  ///< dX_BT/ds: metres and radians per whole way.
};

/// The straight line from one pose to another, the shorter way round.
ToolPath straight_tool_path(const Pose& from, const Pose& to);

struct FollowOptions {
  PoseTask task;  ///< Which components the tool must keep on its way.
  /// Spare joints keep the tool's orientation as near to the path's as they can, instead of keeping away from
  /// their limits: for arms that have too few joints for a whole pose.
  bool keeps_near_orientation = false;
  double accuracy = 4e-6;         ///< [m, rad] How far off the tool may be between two points.
  int most_points = 2000;         ///< Before it gives up.
  double most_turn = 0.25;        ///< [rad, m] Of any joint between two points.
  double start_tolerance = 1e-4;  ///< [m, rad] How far the tool may be off at the begin.
  Interruption interruption{};    ///< Asked at every point.
};

/// How the attempt to follow a tool path ended.
enum class FollowStatus {
  Done,
  NotAtStart,  ///< The joints given do not put the tool at the begin.
  OutOfReach,  ///< The next pose cannot be reached at all.
  JointLimit,  ///< limit_joint comes to the end of its range.
  Singular,    ///< The arm can go on only in another posture.
  TooLong,     ///< More points than allowed.
  InvalidInput,
  Interrupted,
};

/// One point of a followed path. Its parameter u grows with the way of tool and joints together, so that it
/// is well behaved where the joints turn much while the tool moves little.
struct FollowedPoint {
  double u = 0.0;      ///< Since the begin.
  double s = 0.0;      ///< Share of the tool's way.
  double ds_du = 0.0;  ///< How fast the tool moves along with u.
  JointVector q;       ///< [rad, m]
  JointVector dq_du;   ///< Tangent of the joints' path.
};

struct Followed {
  FollowStatus status = FollowStatus::InvalidInput;
  std::vector<FollowedPoint> points;  ///< From the begin to where it ended.
  double s = 0.0;                     ///< How far it came; 1 when done.
  std::size_t limit_joint = 0;        ///< With JointLimit: which variable.
};

/// The joints along a path of the tool, without a jump: the posture at the begin decides the branch.
///
/// Rule at singularities: the tool keeps exactly to its path, and passes wherever the joints can follow
/// without a jump, however much they have to turn there; time is then a matter of their limits. Where they
/// cannot, it says at which pose and why. Arms with more joints than the task needs use the rest to keep
/// away from their limits.
///
/// Made once, then never changed: many threads may share it.
class ToolPathFollower {
 public:
  /// Both must outlive this object.
  ToolPathFollower(const SerialChain& chain, const InverseKinematics& ik);

  /// From the posture `start`, which must put the tool at the begin.
  Followed follow(const ToolPath& path, std::span<const double> start,
                  const FollowOptions& options = {}) const;

  /// From any posture that puts the tool at the begin, those near to `seed` first; where those cannot be
  /// listed in full, also from postures met further on. When none does, the one that came farthest.
  Followed follow_from_anywhere(const ToolPath& path, std::span<const double> seed,
                                const FollowOptions& options = {}) const;

  /// From the posture that joints can turn to straight from `start` while the tool stands, as the wrist of an
  /// arm can whose first and last axes are in line: of such postures the nearest from which the whole path
  /// can be followed. For paths that cannot be followed from a singular posture as it is. Nothing: there is
  /// none.
  std::optional<Followed> follow_after_turn(const ToolPath& path, std::span<const double> start,
                                            const FollowOptions& options = {}) const;

  /// Whether it is known that no posture at the begin leads to the end: at each two-thousandth of the way all
  /// postures there are were looked at, and at one of them none hangs together with what was reached before.
  /// With a joint to spare: at each thousandth of the way and each hundredth of a radian of the last joint.
  /// False also where they cannot be listed: without a closed form, or with a joint to spare for a part of
  /// the pose.
  bool is_shown_infeasible(const ToolPath& path, const PoseTask& task = {}) const;

 private:
  double farthest_from(const Pose& X_BT, const JointVector& from, const JointVector& to) const;
  Followed follow_from(const ToolPath& path, double station, JointVector start,
                       const FollowOptions& options) const;

  std::optional<Followed> follow_by_map(const ToolPath& path, const FollowOptions& options) const;

  const SerialChain& chain_;
  const InverseKinematics& ik_;
  std::shared_ptr<const SpareJoint> spare_;  // nothing: all postures cannot be listed
};

/// What would do where a path cannot be followed.
enum class PathRemedy {
  None,             ///< Nothing that was tried.
  AnotherPosture,   ///< The same path from another posture at its begin.
  FreeTurn,         ///< The tool free to turn about its z axis.
  FreeOrientation,  ///< The tool free to turn as it likes.
};

struct PathAdvice {
  PathRemedy remedy = PathRemedy::None;
  JointVector start;  ///< The posture to begin from.
};

/// What would do instead of what has been tried with `options` from `start`: looks, does not move.
PathAdvice advise(const ToolPathFollower& follower, const ToolPath& path, std::span<const double> start,
                  const FollowOptions& options = {});

/// For people: where on its way the tool gets no further, and why.
std::string explain(const Followed& followed, const ToolPath& path, const RobotModel& model,
                    const SerialChain& chain);
/// For people: "; it would go from another posture", empty without a remedy.
std::string_view remedy_text(PathRemedy remedy);

}  // namespace sinew
