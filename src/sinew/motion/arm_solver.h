// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/kinematics/inverse_kinematics.h"
#include "sinew/kinematics/serial_chain.h"
#include "sinew/messages/requests.h"
#include "sinew/motion/component_ik.h"
#include "sinew/planning/posture_family.h"

namespace sinew {

/// The arm of that name, into RobotModel::arms; empty: the only one.
Result<std::size_t> arm_named(const RobotModel& model, std::string_view name);

/// Where a request wants a tool to be.
struct ToolGoal {
  ComponentGoal components;  ///< In the base.
  /// Set when the goal is relative to the tool where it is: then these axes count, and X_BT is whole.
  bool is_in_tool = false;
  bool is_legacy = false;
  bool is_exact = false;  ///< Nothing but exact postures will do, see kPoseTolerance.
  Pose X_BT;
};

/// What an arm could do to bring its tool there.
struct ArmAnswer {
  std::vector<JointVector> candidates;  ///< Postures that do, the nearest first; none: `words` say why.
  ComponentError error;                 ///< Of the first candidate, or of the nearest that could be found.
  std::uint32_t steps = 0;              ///< Of the solver, where it counts them.
  JointVector nearest;                  ///< The best found, also when it does not do.
  std::string words;
};

/// One arm with one tool, ready to be solved for. Belongs to one thread.
class ArmSolver {
 public:
  /// The arm and tool of these names; empty: the only arm, the flange. `model` must outlive it.
  static Result<std::unique_ptr<ArmSolver>> make(const RobotModel& model, std::string_view arm,
                                                 std::string_view tool);

  const SerialChain& chain() const noexcept { return chain_; }
  const std::string& name() const noexcept { return name_; }
  /// The tool at the arm's tip.
  const Pose& X_FT() const noexcept { return X_FT_; }
  /// The arm's joints as a mask over the model's positions.
  std::uint64_t joint_mask() const noexcept { return joint_mask_; }

  /// The arm's own joints out of all of the robot's.
  JointVector own_joints(std::span<const double> q_all) const;
  Pose tool_pose(std::span<const double> q_all) const;

  /// What a request asks for; refuses numbers that cannot be. `q_all`: where the robot is.
  Result<ToolGoal> goal_of(const Request& request, std::span<const double> q_all) const;

  /// Postures for the goal: the exact solver, also from other beginnings, so that there is a choice when the
  /// nearest is blocked. `home`: of the arm's joints.
  ArmAnswer solve(const ToolGoal& goal, const JointVector& now, const JointVector& home) const;

  /// Postures for the goal beyond those that solve() finds, each time others; nothing where there are no
  /// more. Of an arm with joints to spare they lie ever more densely. This object must outlive it.
  std::function<std::vector<JointVector>()> more_postures(const ToolGoal& goal, const JointVector& now) const;

 private:
  ArmSolver(const RobotModel& model, std::string name, SerialChain chain, const Pose& X_FT);
  ArmAnswer solve_pose(const ToolGoal& goal, const JointVector& now, const JointVector& home) const;
  ArmAnswer solve_components(const ToolGoal& goal, const JointVector& now, const JointVector& home) const;
  ArmAnswer solve_as_before(const ToolGoal& goal, const JointVector& now) const;
  JointVector random_posture(std::uint64_t& seed) const;

  const RobotModel& model_;
  std::string name_;
  SerialChain chain_;
  Pose X_FT_;
  InverseKinematics ik_;
  std::unique_ptr<const PostureFamily> family_;  // null: no joint to spare
  std::uint64_t joint_mask_ = 0;
};

}  // namespace sinew
