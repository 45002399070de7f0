// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/language/code.h"

#include <utility>

namespace sinew::language {
namespace {

/// Writes instructions; one overload per kind of statement that is more than a single step.
class CodeWriter {
 public:
  explicit CodeWriter(const Program& program) : program_(program) {}

  Code write() {
    if (!program_.files.empty()) block(program_.files[0].statements, true);
    add(Operation::End, nullptr);
    for (auto& [name, sub] : code_.subs) {
      sub.entry = code_.instructions.size();
      is_in_sub_ = true;
      block(sub.sub->body, false);
      add(Operation::Return, nullptr);
    }
    return std::move(code_);
  }

 private:
  void block(const Block& statements, bool is_outer) {
    for (const Statement& statement : statements) {
      const std::size_t begin = here();
      is_outer_ = is_outer;
      std::visit([&](const auto& body) { write(statement, body); }, statement.body);
      const bool is_include = std::holds_alternative<IncludeStatement>(statement.body);
      if (here() == begin || is_include) continue;
      code_.instructions[begin].is_line = true;
      code_.instructions[begin].is_outer = is_outer;
    }
  }

  std::size_t here() const { return code_.instructions.size(); }

  std::size_t add(Operation operation, const Statement* statement) {
    code_.instructions.push_back({.operation = operation, .statement = statement});
    return here() - 1;
  }

  void point_here(std::size_t instruction) { code_.instructions[instruction].target = here(); }

  void set_global(const std::string& name) {
    if (!is_in_sub_) code_.globals.insert(name);
  }

  template <class Body>
  void write(const Statement& statement, const Body& /*body*/) {
    add(Operation::Run, &statement);
  }
  void write(const Statement& /*statement*/, const CommentStatement& /*body*/) {}
  void write(const Statement& statement, const SubStatement& sub) {
    code_.subs.emplace(sub.name, SubCode{&sub, statement.place, 0});
  }
  void write(const Statement& /*statement*/, const IncludeStatement& include) {
    if (include.is_first) block(program_.files[include.file].statements, is_outer_);
  }
  void write(const Statement& statement, const AssignStatement& assign) {
    set_global(assign.name);
    add(Operation::Run, &statement);
  }
  void write(const Statement& statement, const CallStatement& call) {
    if (call.result) set_global(*call.result);
    add(Operation::Call, &statement);
  }
  void write(const Statement& statement, const ReturnStatement& /*body*/) {
    add(Operation::Return, &statement);
  }

  void write(const Statement& statement, const IfStatement& branch) {
    std::vector<std::size_t> exits;
    for (const IfClause& clause : branch.clauses) {
      std::size_t skip = 0;
      if (clause.condition) {
        skip = add(Operation::JumpUnless, &statement);
        code_.instructions[skip].condition = &*clause.condition;
      }
      block(clause.body, false);
      exits.push_back(add(Operation::Jump, nullptr));
      if (clause.condition) point_here(skip);
    }
    for (const std::size_t exit : exits) point_here(exit);
  }

  void write(const Statement& statement, const WaitUntilStatement& wait) {
    const std::size_t begin = add(Operation::WaitUntil, &statement);
    if (!wait.otherwise) return;
    const std::size_t skip = add(Operation::Jump, nullptr);
    point_here(begin);
    block(*wait.otherwise, false);
    point_here(skip);
  }

  void write(const Statement& statement, const WhileStatement& loop) {
    const std::size_t begin = add(Operation::JumpUnless, &statement);
    code_.instructions[begin].condition = &loop.condition;
    loop_body(loop.body, begin);
    code_.instructions[add(Operation::Jump, nullptr)].target = begin;
    point_here(begin);
    end_loop();
  }

  void write(const Statement& statement, const ForStatement& loop) {
    set_global(loop.variable);
    const std::size_t begin = add(Operation::ForBegin, &statement);
    const std::size_t body = here();
    loop_body(loop.body, SIZE_MAX);
    const std::size_t next = add(Operation::ForNext, &statement);
    code_.instructions[next].target = body;
    for (const std::size_t jump : loops_.back().continues) code_.instructions[jump].target = next;
    point_here(begin);
    end_loop();
  }

  void write(const Statement& statement, const LoopJumpStatement& jump) {
    const std::size_t at = add(Operation::Jump, &statement);
    if (loops_.empty()) return;
    if (jump.kind == LoopJump::Break) {
      loops_.back().breaks.push_back(at);
    } else if (loops_.back().begin == SIZE_MAX) {
      loops_.back().continues.push_back(at);
    } else {
      code_.instructions[at].target = loops_.back().begin;
    }
  }

  struct Loop {
    std::size_t begin = 0;  ///< Where CONTINUE goes; SIZE_MAX: not known yet.
    std::vector<std::size_t> breaks;
    std::vector<std::size_t> continues;
  };

  void loop_body(const Block& body, std::size_t begin) {
    loops_.push_back({begin, {}, {}});
    block(body, false);
  }

  void end_loop() {
    for (const std::size_t jump : loops_.back().breaks) point_here(jump);
    loops_.pop_back();
  }

  const Program& program_;
  Code code_;
  std::vector<Loop> loops_;
  bool is_in_sub_ = false;
  bool is_outer_ = true;
};

}  // namespace

Code lay_out(const Program& program) {
  return CodeWriter(program).write();
}

}  // namespace sinew::language
