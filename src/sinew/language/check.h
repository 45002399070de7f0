// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sinew/language/action.h"
#include "sinew/language/finding.h"
#include "sinew/language/world.h"

namespace sinew::language {

struct Judgement {
  Severity severity = Severity::Error;
  std::string text;
  std::optional<Place> place{};  ///< Where, when it is about a move that was shown before.
};

/// Says what is wrong with a move, without moving: reach, limits, collisions. Moves come in the order of the
/// program; the judge keeps where the robot would be.
class MoveJudge {
 public:
  virtual ~MoveJudge() = default;

  /// Where the move stands that is shown next.
  virtual void come_to(const Place& /*place*/) {}
  virtual std::vector<Judgement> judge(const MoveAction& move) = 0;
  /// What is wrong with an output or a gripper as it would be switched; the robot stands meanwhile.
  virtual std::vector<Judgement> judge(const OutputAction& /*output*/) { return {}; }
  virtual std::vector<Judgement> judge(const GripperAction& /*gripper*/) { return {}; }
  /// What is carried from now on.
  virtual std::vector<Judgement> judge(const PayloadAction& /*payload*/) { return {}; }
  /// The robot stands: what came before ends at rest, and then `seconds` pass; also at the end. Says what is
  /// wrong with moves that run into each other, together.
  virtual std::vector<Judgement> stand(double /*seconds*/) { return {}; }
};

struct CheckOptions {
  std::uint64_t most_actions = 20000;  ///< A walk of an endless program ends here.
  std::uint32_t from_line = 0;         ///< Where the walk begins; 0: at the beginning.
};

struct CheckReport {
  FindingList findings;
  std::uint64_t actions = 0;     ///< That the walk came by.
  std::uint64_t moves = 0;       ///< Of these.
  std::uint64_t unseen = 0;      ///< Moves in the text that the walk did not come by; told as warnings.
  bool is_whole = false;         ///< The walk came to an end of the program.
  bool assumes_objects = false;  ///< Where things are was asked for, and taken from the world.
};

/// Names, types and counts that can be told without running: everything is looked at.
void check_names_and_types(const Program& program, const ProgramWorld& world, FindingList& findings);

/// Checks a program that was parsed without errors: names and types, then a walk as the interpreter runs it,
/// each move shown to `judge` (null: none). On the walk an input is off when it is first read, then on, and
/// so by turns; waits succeed; ON never acts. WHERE something is, is what `world` says of it, which is then
/// an assumption; where `world` does not know, the walk ends with a warning. Blended moves are shown in the
/// same chains as they are run in.
CheckReport check_program(const Program& program, const ProgramWorld& world, MoveJudge* judge = nullptr,
                          const CheckOptions& options = {});

}  // namespace sinew::language
