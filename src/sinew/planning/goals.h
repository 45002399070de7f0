// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/planning/even_sequence.h"
#include "sinew/planning/path_search.h"
#include "sinew/planning/planner.h"
#include "sinew/planning/posture_family.h"

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

/// How long goals are looked for.
struct GoalLimits {
  std::size_t most_postures = 20'000;  ///< That are looked at.
  std::int64_t deadline_ns = 0;        ///< On the monotonic clock; zero: none.
  std::function<bool()> is_cancelled{};
};

/// "link 'forearm' and 'shelf'": what a contact is between.
std::string pair_text(const RobotModel& model, const Obstacles& world, const Contact& contact);

/// "…are 3.1 mm inside each other" or "…keep 2.0 mm, less than their margin 5.0 mm".
std::string contact_text(const RobotModel& model, const Obstacles& world, const Contact& contact);

/// Finds configurations for a goal. Where the arm has joints to spare, the postures at a pose are a family
/// without end: it is swept, ever more densely and most where it touches least, until one is clear.
class GoalFinder {
 public:
  /// All must outlive this object. `solver` is null without a chain, `family` also without joints to spare.
  GoalFinder(MotionJudge& judge, const SerialChain* chain, const InverseKinematics* solver,
             const PostureFamily* family);

  /// `start`: the planned joints. `goal` must outlive find_more().
  GoalConfigurations find(const PlanGoal& goal, std::span<const double> start, std::uint64_t seed,
                          const GoalLimits& limits);

  /// Appends configurations for the goal of find() that are unlike those in `result`; a short look.
  void find_more(GoalConfigurations& result);

  /// As PlanRequest::with_blockers.
  void set_explaining(bool is_explaining) { is_explaining_ = is_explaining; }

  /// Whether `q` may be a goal (or a start); `who` is for the reason: "start", "goal".
  bool is_allowed(std::span<const double> q, const char* who, GoalConfigurations& result);

 private:
  void find_pose(GoalConfigurations& result);
  void find_region(const RegionGoal& goal, std::uint64_t seed, GoalConfigurations& result);
  /// Adds what inverse kinematics finds from `seed`; keeps the reason while nothing was found.
  void add_solutions(const Pose& X_BT, const PoseTask& task, std::span<const double> seed,
                     GoalConfigurations& result);
  void add_solutions_from_drawn(GoalConfigurations& result);
  void sweep(std::size_t samples, GoalConfigurations& result);
  void climb_to_clear(GoalConfigurations& result);
  bool climb(std::vector<double> q, double room, GoalConfigurations& result);
  void add(std::span<const double> q, GoalConfigurations& result);
  bool note_posture(std::span<const double> q);
  void note_touching(std::span<const double> q);
  /// At most eight.
  void add_new(std::span<const JointVector* const> postures, GoalConfigurations& result);
  bool is_within_limits(std::span<const double> q, const char* who, GoalConfigurations& result) const;
  bool is_kept(std::span<const double> q, const char* who, GoalConfigurations& result) const;
  void say_what_touches(const Contact& contact, const char* who, GoalConfigurations& result) const;
  void say_what_nearly_clears(const PlanGoal& goal, GoalConfigurations& result);
  void note_room(const Contact& contact);
  void sort_by_distance(GoalConfigurations& result) const;
  void keep_nearest(GoalConfigurations& result);
  bool may_go_on(const GoalConfigurations& result) const;
  bool is_over() const;

  MotionJudge& judge_;
  const SerialChain* chain_;
  const InverseKinematics* solver_;
  const PostureFamily* family_;
  bool is_explaining_ = true;

  // of the goal that is looked for
  const PoseGoal* pose_ = nullptr;
  std::vector<double> start_;
  GoalLimits limits_;
  std::optional<PostureSweep> sweep_;
  std::optional<EvenSequence> drawn_;  // postures to begin from
  std::size_t drawn_count_ = 0;
  bool are_few_ = false;          // all postures that there are, but for whole turns, are known at once
  std::size_t looked_count_ = 0;  // postures
  std::size_t most_goals_ = 0;    // to be gathered
  std::vector<std::vector<double>> looked_at_;  // so that none is twice; not of a family
  std::vector<std::vector<double>> touching_;   // in the way of something
  std::size_t climbed_ = 0;                     // of these, those that climbs began among
  std::size_t next_climb_ = 0;                  // after so many samples
  std::vector<std::vector<double>> later_;      // clear, further from the start than those that were taken
  std::optional<Contact> nearest_to_clear_;
};

}  // namespace sinew::planning
