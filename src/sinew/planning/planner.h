// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/collision/collision_checker.h"
#include "sinew/kinematics/inverse_kinematics.h"
#include "sinew/planning/motion_judge.h"
#include "sinew/planning/path_constraint.h"

namespace sinew {
namespace planning {
struct PlannerParts;
}

/// Joint positions of the planned joints [rad, m].
struct JointGoal {
  std::vector<double> q;
};

/// The tool at a pose in the chain's base, or at a part of one; any posture that puts it there will do.
struct PoseGoal {
  Pose X_BT;
  PoseTask task{};
};

/// The tool's origin within a box around X_BT, in its axes, and turned from it by at most `angle`.
struct RegionGoal {
  Pose X_BT;
  Vector3 half_extents = Vector3::Zero();  ///< [m]
  double angle = 0.0;                      ///< [rad]
};

using PlanGoal = std::variant<JointGoal, PoseGoal, RegionGoal>;

/// How far a plan has come.
struct PlanProgress {
  std::size_t iterations = 0;
  double length = 0.0;  ///< Of the best path so far [rad, m]; zero: none yet.
};

struct PlanRequest {
  /// All positions of the robot, as in RobotModel::positions; what is not planned stays there.
  std::vector<double> start;
  PlanGoal goal;
  PathConstraint constraint{};
  std::uint64_t seed = 1;   ///< The same seed, the same path.
  double time_limit = 1.0;  ///< [s] For all of it; a path found by iterations does not depend on it.
  std::size_t most_iterations = 1'000'000;
  /// Of a pose goal, that are looked at while none is clear.
  std::size_t most_postures = 20'000;
  bool with_shortening = true;
  /// [s] After the first path: so long other seeds are tried for a shorter one.
  double improve_time = 0.0;
  /// When there is no path, look for how much clearance is lacking, for as long again as the time limit.
  bool with_diagnosis = true;
  /// When there is no path, look for what is most often in the way, and of all postures for a goal that touch
  /// something for the one that is nearest to clear. Without, the reason is a short one, and comes at once.
  bool with_blockers = true;
  /// Called now and then; false cancels.
  std::function<bool(const PlanProgress&)> progress{};
};

enum class PlanStatus : std::uint8_t {
  Solved,
  InvalidInput,
  StartOutsideLimits,
  StartInCollision,
  GoalOutsideLimits,
  GoalInCollision,
  GoalUnreachable,
  ConstraintBroken,  ///< At the start or the goal.
  NoPath,            ///< Not within the limits of time, iterations or memory.
  Cancelled,
};

/// A short name such as "start in collision".
const char* plan_status_text(PlanStatus status);

struct PlanResult {
  PlanStatus status = PlanStatus::NoPath;
  std::string reason;  ///< For people; empty when solved.
  std::vector<JointVector>
      path;             ///< Corners in the planned joints, from the start to the goal; straight between.
  double length = 0.0;  ///< [rad, m] Euclidean.
  double first_length = 0.0;  ///< Before it was shortened.
  std::size_t iterations = 0;
  std::size_t node_count = 0;
  std::int64_t search_ns = 0;
  std::int64_t shorten_ns = 0;
  /// In collision: what touches. No path: the pair that was in the way most often.
  Contact contact;
  /// No path: it opens when all keep so much less away [m]; zero: not known.
  double lacking_clearance = 0.0;
};

struct PlannerOptions {
  ClearanceOptions clearance{};
  /// Needed for poses, regions and constraints: its variables are planned. Must outlive the planner.
  const SerialChain* chain = nullptr;
  /// Without a chain: the positions to be planned; empty: all of the robot's.
  std::vector<std::size_t> planned{};
  std::size_t most_nodes = 32768;  ///< Of either tree.
};

/// Finds paths that touch nothing. Belongs to one thread; takes the memory of its search when it is made.
class Planner {
 public:
  /// `model` must outlive this object.
  static Result<Planner> make(const RobotModel& model, const PlannerOptions& options = {});
  Planner(Planner&&) noexcept;
  Planner& operator=(Planner&&) noexcept;
  ~Planner();

  /// From now on among these things; what their solids point to must outlive their use.
  void set_world(const Obstacles& world);

  /// Planned joints, as positions of the robot.
  std::span<const std::size_t> planned() const noexcept;

  PlanResult plan(const PlanRequest& request);

  /// All positions of the robot: from now on, until the next plan(), what is not planned stands there.
  void set_others(std::span<const double> q_all);
  /// Whether every configuration of the way straight from `from` to `to`, in the planned joints, is clear;
  /// the rest of the robot stands as in the last plan() or set_others().
  bool is_way_clear(std::span<const double> from, std::span<const double> to);
  /// How far any point of the robot moves at most on such a way [m].
  double travel(std::span<const double> from, std::span<const double> to) const;
  /// One configuration of the planned joints: the first pair that is too near; the nearest pair.
  CheckResult check(std::span<const double> q);
  CheckResult nearest(std::span<const double> q);

  /// What a contact is between: "link 'forearm' and 'shelf'".
  std::string pair_text(const Contact& contact) const;
  /// With how near: "link 'forearm' and 'shelf' keep 2.0 mm, less than their margin 5.0 mm".
  std::string contact_text(const Contact& contact) const;

 private:
  explicit Planner(std::unique_ptr<planning::PlannerParts> parts);
  std::unique_ptr<planning::PlannerParts> parts_;
};

}  // namespace sinew
