// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sinew/base/interruption.h"
#include "sinew/base/result.h"
#include "sinew/collision/obstacles.h"
#include "sinew/collision/robot_shapes.h"
#include "sinew/model/robot_model.h"
#include "sinew/motion/move.h"

namespace sinew {

struct MovePlannerOptions {
  std::string arm{};              ///< Which; empty: the only one.
  std::size_t base_link = kNone;  ///< Instead of a named arm: from here …
  std::size_t tip_link = kNone;   ///< … to here.
  std::uint64_t joint_mask = 0;   ///< Instead of an arm: joints, at most 16 of them; then without a tool.
  double margin = 0.01;           ///< [m] What the controller's guard keeps.
  MeshPoints mesh_points{};       ///< Without it, no mesh has a shape.
  std::uint64_t seed = 1;         ///< Of the search for ways round things: the same seed, the same way.
  std::size_t most_iterations = 100'000;  ///< Of that search.
  double path_tolerance = 1e-5;           ///< [m] How far the tool may leave its lines and circles.
  /// Whether to find out clearance, dexterity, and where a move is slow and why: takes some time.
  bool with_measures = true;
  /// Whether a tool move that cannot be followed is tried in other ways, to tell what would do: takes longer
  /// than planning.
  bool with_advice = true;
  /// Asked while planning: then what is asked for is refused as MoveFault::Interrupted, to be asked again.
  Interruption interruption{};
};

/// Makes verified trajectories of moves. Belongs to one thread; plain values in, plain values out.
///
///     auto planner = MovePlanner::make(model, {.arm = "arm", .margin = 0.01});
///     (*planner)->set_world(obstacles);                       // what is around, and in the gripper
///     const Move approach{.kind = MoveKind::Joint, .goals = {X_BT_before}, .X_FT = tool,
///                         .blend_radius = 0.05};              // cut the corner there, no stop
///     const Move weld{.kind = MoveKind::Line, .goals = {X_BT_end}, .X_FT = tool,
///                     .timing = {.tool_speed = 0.02}};
///     const MovePlan plan = (*planner)->plan(std::vector{approach, weld}, q_all);
///     if (!plan) say(plan.refusal->move, plan.refusal->words);
///     else play(plan.planned.trajectory, plan.planned.joint_mask);   // Playback takes it as it is
///
/// - A chain is one trajectory from rest to rest. A move with a blend radius runs into the next without a
///   stop; one without ends at rest, and the next begins there. Look ahead as far as the radii reach, no
///   further: a chain that ends with a blend radius ends at rest at its goal.
/// - Joint moves go straight in the joints, and where that is blocked round it. Tool moves keep the posture
///   that the robot is in: what cannot be followed from there is refused, with what would do.
/// - What is planned keeps the limits times Playback::kUsableShare at every instant, and the margin to
///   everything on the way between any two instants.
/// - The same question has the same answer.
class MovePlanner {
 public:
  /// `model` must outlive it.
  static Result<std::unique_ptr<MovePlanner>> make(const RobotModel& model, MovePlannerOptions options = {});
  ~MovePlanner();

  /// From now on among these things, beside the bounds of the workspace; what their solids point to must
  /// outlive their use.
  Status set_world(const Obstacles& world);

  /// The joints that are moved, as positions of the robot, in the order of MoveJoints.
  std::span<const std::size_t> planned() const noexcept;
  /// The same as a mask.
  std::uint64_t joint_mask() const noexcept;
  /// Where the tool is; only with an arm.
  Pose tool_pose(std::span<const double> q_all, const Pose& X_FT = {}) const;

  /// The whole chain from rest at `from`, all positions of the robot; or which move cannot be, and why.
  MovePlan plan(std::span<const Move> chain, std::span<const double> from);

 private:
  struct Parts;
  explicit MovePlanner(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace sinew
