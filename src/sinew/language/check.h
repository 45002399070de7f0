// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sinew/language/action.h"
#include "sinew/language/finding.h"
#include "sinew/language/world.h"

namespace sinew::language {

struct Judgement {
  Severity severity = Severity::Error;
  std::string text;
};

/// Says what is wrong with a move, without moving: reach, limits, collisions. Moves come in the order of the
/// program; the judge keeps where the robot would be.
class MoveJudge {
 public:
  virtual ~MoveJudge() = default;

  virtual std::vector<Judgement> judge(const MoveAction& move) = 0;
  /// The robot stands: what came before ends at rest, and then `seconds` pass; also at the end.
  virtual void stand(double /*seconds*/) {}
};

struct CheckOptions {
  std::uint64_t most_actions = 20000;  ///< A walk of an endless program ends here.
};

struct CheckReport {
  FindingList findings;
  std::uint64_t actions = 0;  ///< That the walk came by.
  std::uint64_t moves = 0;    ///< Of these.
  bool is_whole = false;      ///< The walk came to an end of the program.
};

/// Names, types and counts that can be told without running: everything is looked at.
void check_names_and_types(const Program& program, const ProgramWorld& world, FindingList& findings);

/// Checks a program that was parsed without errors: names and types, then a walk as the interpreter runs it,
/// each move shown to `judge` (null: none). On the walk an input is off when it is first read, then on, and
/// so by turns; waits succeed; ON never acts.
CheckReport check_program(const Program& program, const ProgramWorld& world, MoveJudge* judge = nullptr,
                          const CheckOptions& options = {});

}  // namespace sinew::language
