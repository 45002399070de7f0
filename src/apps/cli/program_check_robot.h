// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/collision/obstacles.h"
#include "sinew/kinematics/chain_choice.h"
#include "sinew/motion/program_judge.h"
#include "sinew/motion/program_robot.h"
#include "sinew/motion/walked_objects.h"

namespace sinew::cli {

/// An arm on which a program is checked: what the program sees of it, and who judges its moves.
class CheckedArm {
 public:
  /// `chosen` must outlive this object; its chain ends at the flange. Begins at the home posture, or
  /// mid-range where there is none. Keeps the margin that the controller's guard keeps.
  static Result<std::unique_ptr<CheckedArm>> make(const ChosenChain& chosen);

  /// Begins at q [rad, m]; refuses a wrong count and positions outside the limits.
  Status start_at(const std::vector<double>& q);
  /// Begins at these, of all positions of the robot [rad, m].
  void stand_at(const std::vector<double>& q) { robot_.take_joints(q); }
  /// Among these things. Those parts of the robot that never move may stand in them: a base on a floor.
  Status set_world(const Obstacles& world);

  /// WHERE things are, for a program that asks: at first as said here, then as WalkedObjects has them. What
  /// it asks for it may touch.
  void assume(std::vector<WalkedObject> things);

  const ProgramRobot& robot() const { return robot_; }
  ProgramJudge& judge() { return *judge_; }

 private:
  CheckedArm(const ChosenChain& chosen, ProgramRobot robot) : chosen_(chosen), robot_(std::move(robot)) {}

  Result<Pose> find_thing(std::string_view name);

  const ChosenChain& chosen_;
  ProgramRobot robot_;
  Obstacles around_;
  std::optional<WalkedObjects> things_;
  std::unique_ptr<ProgramJudge> judge_;
};

}  // namespace sinew::cli
