// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "sinew/planning/path_search.h"
#include "sinew/planning/planner.h"

/// From a goal to configurations that reach it. Inside this room only.
namespace sinew::planning {

/// Configurations, or why there is none.
struct GoalConfigurations {
  PlanStatus status = PlanStatus::Solved;
  std::string reason;
  Contact contact;
  std::vector<Configuration> found;        ///< Clear, within limits; the nearest to the start first.
  std::vector<std::vector<double>> exact;  ///< The same in double precision.
};

/// "link 'forearm' and 'shelf'": what a contact is between.
std::string pair_text(const RobotModel& model, const Obstacles& world, const Contact& contact);

/// "…are 3.1 mm inside each other" or "…keep 2.0 mm, less than their margin 5.0 mm".
std::string contact_text(const RobotModel& model, const Obstacles& world, const Contact& contact);

class GoalFinder {
 public:
  /// All must outlive this object. `solver` is null without a chain.
  GoalFinder(MotionJudge& judge, const SerialChain* chain, const InverseKinematics* solver);

  /// `start`: the planned joints.
  GoalConfigurations find(const PlanGoal& goal, std::span<const double> start, std::uint64_t seed);

  /// As PlanRequest::with_blockers.
  void set_explaining(bool is_explaining) { is_explaining_ = is_explaining; }

  /// Whether `q` may be a goal (or a start); `who` is for the reason: "start", "goal".
  bool is_allowed(std::span<const double> q, const char* who, GoalConfigurations& result);

 private:
  void find_pose(const PoseGoal& goal, std::span<const double> start, std::uint64_t seed,
                 GoalConfigurations& result);
  void find_region(const RegionGoal& goal, std::span<const double> start, std::uint64_t seed,
                   GoalConfigurations& result);
  /// Adds what inverse kinematics finds from `seed`; keeps the reason while nothing was found.
  void add_solutions(const Pose& X_BT, const PoseTask& task, std::span<const double> seed,
                     GoalConfigurations& result);
  void add(std::span<const double> q, GoalConfigurations& result);
  bool note_posture(std::span<const double> q);
  /// At most eight.
  void add_new(std::span<const JointVector* const> postures, GoalConfigurations& result);
  bool is_within_limits(std::span<const double> q, const char* who, GoalConfigurations& result) const;
  bool is_kept(std::span<const double> q, const char* who, GoalConfigurations& result) const;
  void say_what_touches(const Contact& contact, const char* who, GoalConfigurations& result) const;
  void say_what_nearly_clears(GoalConfigurations& result);
  void sort_by_distance(std::span<const double> start, GoalConfigurations& result) const;

  MotionJudge& judge_;
  const SerialChain* chain_;
  const InverseKinematics* solver_;
  bool is_explaining_ = true;
  std::vector<std::vector<double>> looked_at_;  ///< So that none is twice.
  std::vector<std::vector<double>> touching_;   ///< In the way of something.
};

}  // namespace sinew::planning
