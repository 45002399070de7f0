// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/collision/obstacles.h"
#include "sinew/kinematics/chain_choice.h"
#include "sinew/messages/world.h"
#include "sinew/motion/program_judge.h"
#include "sinew/motion/program_robot.h"
#include "sinew/motion/walked_objects.h"
#include "sinew/motion/world_reader.h"

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

  /// Among what a running robot has around it: `world` is what it keeps clear of, `seen` where things are, as
  /// its channel `world_truth` tells. Null: nobody says. With `seen` a walk goes on past WHERE, as in a world
  /// of a file: what stands in `world` too, or does not fit between the fingers of a gripper, stays where it
  /// is; the rest can be carried.
  Status look_around(const World* world, const World* seen);

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
  std::unique_ptr<WorldInUse> in_use_;  // what around_ points to
  std::optional<WalkedObjects> things_;
  std::unique_ptr<ProgramJudge> judge_;
};

/// What is said of a check that took where things are from `world`: a note, or part of an answer.
std::string assumption_text(std::string_view world);
/// For that, where a running robot tells it.
inline constexpr std::string_view kSeenNow = "as the robot sees it now";

}  // namespace sinew::cli
