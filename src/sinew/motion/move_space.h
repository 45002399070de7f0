// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/base/interruption.h"
#include "sinew/base/result.h"
#include "sinew/planning/planner.h"
#include "sinew/trajectory/joint_curve.h"

namespace sinew {

struct MoveSpaceOptions {
  const SerialChain* chain = nullptr;  ///< To the flange; must outlive it. Null: `planned` says which joints.
  std::vector<std::size_t> planned{};  ///< Without a chain: positions of the robot.
  double margin = 0.01;                ///< [m] What the controller's guard keeps.
  MeshPoints mesh_points{};            ///< Without it, no mesh has a shape.
  std::uint64_t seed = 1;
  std::size_t most_iterations = 100'000;  ///< Of a search for a way round.
  Interruption interruption{};            ///< Asked while one is looked for: PlanStatus::Cancelled.
};

/// What is in the way of a trajectory, and when.
struct Blockage {
  double time = 0.0;  ///< [s]
  Contact contact;
  std::string words;
};

/// Room for the joints that are moved: ways through it, and whether a trajectory touches nothing. Looks with
/// more than the guard's margin first, because the guard counts braking ways as well; then with the margin
/// alone; with less only for leaving a place that is too near already. One thread.
class MoveSpace {
 public:
  /// `model` must outlive it.
  static Result<std::unique_ptr<MoveSpace>> make(const RobotModel& model, MoveSpaceOptions options);

  /// Beside the bounds of the robot's workspace. What its solids point to must outlive its use; refused when
  /// there is no room for it, or two objects share a name.
  Status set_world(const Obstacles& world);

  /// All positions of the robot: what is not moved stands there.
  void stand_at(std::span<const double> q_all);
  const std::vector<double>& others() const noexcept { return others_; }

  std::span<const std::size_t> planned() const noexcept { return planned_; }

  /// Corners from `from`, in the planned joints, to the goal. Where there is room, also for who begins near
  /// something, that is left first.
  PlanResult find_way(std::span<const double> from, const PlanGoal& goal);

  /// Up to when [s] nothing is in the way of `trajectory`, whose first joints are the planned ones; every
  /// instant counts. None: up to its end.
  std::optional<double> clear_until(const Trajectory& trajectory);
  /// What is in its way from `time` on, for people; takes longer than finding that something is.
  Blockage explain(const Trajectory& trajectory, double time);

  /// The nearest pair at a posture of the planned joints.
  Contact nearest(std::span<const double> q);
  /// "link 'forearm' and 'shelf'".
  std::string pair_text(const Contact& contact);

 private:
  /// From the widest to the narrowest.
  using Level = std::size_t;
  static constexpr Level kWide = 0;
  static constexpr Level kGuarded = 1;
  static constexpr Level kNarrow = 2;
  static constexpr std::size_t kLevels = 3;

  MoveSpace(const RobotModel& model, MoveSpaceOptions options)
      : model_(model), options_(std::move(options)) {}
  Planner& at(Level level);
  void find_levers();
  bool starts_too_near(std::span<const double> q);
  double room_at(const JointVector& q);
  bool leaves_at_once(std::span<const JointVector> path);
  std::optional<JointVector> find_way_out(const JointVector& from);
  PlanResult leave_first(const JointVector& from, PlanRequest request);
  std::optional<double> clear_until(Level level, const Trajectory& trajectory, double since);

  const RobotModel& model_;
  MoveSpaceOptions options_;
  std::vector<std::size_t> planned_;
  std::vector<double> others_;
  Obstacles workspace_;
  Obstacles world_;
  std::array<std::optional<Planner>, kLevels> planners_;  // made when needed
  std::vector<double> levers_;                            // [m/rad, 1] how far a joint moves anything
};

}  // namespace sinew
