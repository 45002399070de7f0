// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sinew/base/interruption.h"
#include "sinew/base/result.h"
#include "sinew/collision/collision_checker.h"
#include "sinew/model/robot_model.h"

namespace sinew {

/// One number per joint position of the robot [rad, m].
using Posture = std::vector<double>;

/// From where to where.
struct RouteTask {
  Posture from;
  std::vector<Posture> goals;    ///< Any of them will do, the first is liked best. They differ in joint_mask.
  Posture home;                  ///< Tried as an intermediate goal.
  std::uint64_t joint_mask = 0;  ///< The joints that may move.
  /// Asked while none of the goals is clear, for some that will do as well; nothing: there are no more.
  std::function<std::vector<Posture>()> more_goals{};
};

struct Route {
  std::vector<Posture> stops;  ///< One after the other, straight in the joints; the goal last. None: blocked.
  Contact contact;             ///< Blocked: what is in the way to the goal that is liked best.
  std::string words;           ///< Blocked: the same for people.
  std::vector<Posture> goals;  ///< Clear ones that were found beyond those of the task.
};

/// Finds a way past the robot itself and the world: straight, else to another goal, else over intermediate
/// postures. Bounded work, and the same answer for the same question. Belongs to one thread.
class RouteFinder {
 public:
  /// `model` must outlive it. `margin` [m] is what the controller's guard keeps; `mesh_points` as it has
  /// them.
  static Result<std::unique_ptr<RouteFinder>> make(const RobotModel& model, double margin,
                                                   const MeshPoints& mesh_points = {});

  /// What its solids point to must outlive its use. Refused, as the guard does, when there is no room for it
  /// beside the robot's workspace, or two objects share a name: the world before it stays.
  Status set_world(const Obstacles& world);

  /// Blocked as well when interrupted, without words.
  Route find(const RouteTask& task, const Interruption& interruption = {});

  /// The nearest pair at `q`.
  CheckResult nearest(std::span<const double> q) { return checkers_[kGuarded].nearest(q); }
  /// A short way, with the room that a planned one is given first: more than the guard's margin.
  CheckResult sweep_wide(std::span<const double> q0, std::span<const double> q1,
                         const SweepOptions& options) {
    return checkers_[kWide].sweep(q0, q1, options);
  }
  /// A short way, by the guard's margin.
  CheckResult sweep_guarded(std::span<const double> q0, std::span<const double> q1,
                            const SweepOptions& options) {
    return checkers_[kGuarded].sweep(q0, q1, options);
  }
  std::string name_of(std::size_t link, std::size_t object) const;

 private:
  // Wide first: the guard counts braking ways as well, so a way at its very margin would be held.
  static constexpr std::size_t kWide = 0;
  static constexpr std::size_t kGuarded = 1;
  static constexpr std::size_t kNarrow = 2;

  RouteFinder(const RobotModel& model, std::vector<std::unique_ptr<RobotShapes>> shapes,
              const Obstacles& workspace);
  bool is_free(CollisionChecker& checker, const Posture& from, const Posture& to);
  std::vector<Posture> find_with(CollisionChecker& checker, const RouteTask& task,
                                 std::span<const Posture> goals, const Interruption& interruption);
  /// Goals beyond those of a task, as far as they were asked for.
  struct FurtherGoals {
    std::vector<Posture> asked;
    bool are_all = false;
  };
  std::vector<Posture> clear_among(CollisionChecker& checker, const RouteTask& task, std::size_t most,
                                   FurtherGoals& further, const Interruption& interruption);
  std::vector<Posture> detour(CollisionChecker& checker, const RouteTask& task,
                              std::span<const Posture> goals, const Interruption& interruption);
  Posture sample(const RouteTask& task, std::uint64_t& seed) const;
  void explain(const RouteTask& task, const FurtherGoals& further, Route& route);
  bool explain_goals(const RouteTask& task, const FurtherGoals& further, Route& route);
  std::string sentence_of(const Contact& contact) const;

  const RobotModel& model_;
  std::vector<std::unique_ptr<RobotShapes>> shapes_;
  std::vector<CollisionChecker> checkers_;
  Obstacles workspace_;
  Obstacles world_;  // the workspace, then the objects around
};

}  // namespace sinew
