// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sinew/language/syntax.h"

namespace sinew::language {

/// What the interpreter does at one step.
enum class Operation {
  Run,         ///< A statement that goes on with the next instruction.
  JumpUnless,  ///< Goes to `target` unless `condition` holds.
  Jump,
  WaitUntil,  ///< When it times out it goes to `target`.
  ForBegin,   ///< Goes to `target` when there is no turn.
  ForNext,    ///< Goes back to `target` while there are turns.
  Call,
  Return,
  End,
};

struct Instruction {
  Operation operation = Operation::Run;
  const Statement* statement = nullptr;   ///< Null for what has no line of its own.
  const Expression* condition = nullptr;  ///< JumpUnless.
  std::size_t target = 0;
  bool is_line = false;   ///< A statement begins here: the place for breakpoints and single steps.
  bool is_outer = false;  ///< A statement outside of all blocks: a run may start here.
};

struct SubCode {
  const SubStatement* sub = nullptr;
  Place place;
  std::size_t entry = 0;
};

/// A program laid out as a list of instructions, so that where it is, is a number. Refers to the program,
/// which must outlive it.
struct Code {
  std::vector<Instruction> instructions;
  std::map<std::string, SubCode, std::less<>> subs;
  /// Variables that are set outside of all SUBs. They are the same everywhere; all others belong to their
  /// SUB.
  std::set<std::string, std::less<>> globals;
};

/// Lays out a program that was parsed without errors. The first SUB of a name counts.
Code lay_out(const Program& program);

}  // namespace sinew::language
