// SPDX-License-Identifier: BSD-3-Clause
// What interrupts the order of a program: ON and UNTIL conditions, and a start in the middle.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sinew/language/interpreter.h"

namespace sinew::language {
namespace {

const Expression* until_of(const Statement& statement) {
  if (const auto* move = std::get_if<MoveStatement>(&statement.body))
    return move->until ? &*move->until : nullptr;
  const auto* wait = std::get_if<WaitUntilStatement>(&statement.body);
  return wait != nullptr ? &wait->condition : nullptr;
}

// set without anything being done
bool only_sets(const Statement& statement) {
  return std::holds_alternative<AssignStatement>(statement.body) ||
         std::holds_alternative<FrameStatement>(statement.body) ||
         std::holds_alternative<UnitsStatement>(statement.body) ||
         std::holds_alternative<SpeedStatement>(statement.body) ||
         std::holds_alternative<BlendStatement>(statement.body) ||
         std::holds_alternative<OnStatement>(statement.body) ||
         std::holds_alternative<OffStatement>(statement.body);
}

}  // namespace

WatchVerdict Interpreter::watch() {
  if (state_.end) return WatchVerdict::GoOn;
  const State& state = seen();
  for (std::size_t i = 0; options_.watches_conditions && i < state.conditions.size(); ++i) {
    const Condition& condition = state.conditions[i];
    Evaluator values = evaluator_of(state, condition);
    const auto holds =
        values.truth(std::get<OnStatement>(condition.statement->body).condition, "the condition of ON");
    if (!holds) {
      fail(values);
      return WatchVerdict::Interrupt;
    }
    if (!*holds) held_.erase(condition.number);
    const bool has_come_true = *holds && held_.insert(condition.number).second;
    if (!has_come_true) continue;
    interrupting_ = condition;
    return WatchVerdict::Interrupt;
  }
  return state_.pending.empty() ? WatchVerdict::GoOn : watch_until(state_.pending.front());
}

// The condition means what it meant where it is written: the program may have gone on since.
WatchVerdict Interpreter::watch_until(const Pending& pending) {
  const Statement& statement = *code_.instructions[pending.at].statement;
  const Expression* until = until_of(statement);
  if (until == nullptr) return WatchVerdict::GoOn;
  const State& state = seen();
  Evaluator::Setting setting{.units = state.units, .X_FT = state.tool.pose, .X_BU = state.frame.pose};
  if (const auto* move = std::get_if<MoveAction>(&pending.action.body)) {
    setting.X_FT = move->tool.pose;
    setting.X_BU = move->frame.pose;
    const auto& written = std::get<MoveStatement>(statement.body).units;
    const auto units =
        written ? units_from(*written, state.units) : std::variant<Units, Finding>(state.units);
    if (const auto* known = std::get_if<Units>(&units)) setting.units = *known;
  }
  Evaluator values = evaluator_of(state, setting);
  const auto holds = values.truth(*until, "the condition of UNTIL");
  if (holds) return *holds ? WatchVerdict::Satisfied : WatchVerdict::GoOn;
  fail(values);
  return WatchVerdict::Interrupt;
}

// To the action that is being carried out: what was asked for ahead has not been begun, and follows again.
void Interpreter::go_back() {
  if (state_.pending.empty() || state_.pending.front().then == nullptr) return;
  Pending first = std::move(state_.pending.front());
  State then = *std::exchange(first.then, nullptr);
  then.next_number = state_.next_number;
  then.pending = {std::move(first)};
  state_ = std::move(then);
}

// an ON came true: what is under way was stopped
std::optional<Action> Interpreter::interrupt() {
  const Condition condition = std::move(*std::exchange(interrupting_, std::nullopt));
  const Statement& statement = *condition.statement;
  const auto& reaction = std::get<OnStatement>(statement.body).reaction;
  go_back();
  std::vector<Pending> dropped = std::move(state_.pending);
  state_.pending.clear();
  dropped.insert(dropped.end(), state_.repeat.begin(), state_.repeat.end());
  state_.repeat.clear();
  Evaluator values = evaluator_of(state_, condition);
  if (const auto* ending = std::get_if<EndingStatement>(&reaction)) {
    state_.repeat = std::move(dropped);
    return react(statement, *ending, std::move(values));
  }
  if (auto failed = step_call(statement, std::get<CallStatement>(reaction), state_.at, std::move(values)))
    return failed;
  state_.frames.back().repeat = std::move(dropped);
  return {};
}

std::optional<Action> Interpreter::react(const Statement& statement, const EndingStatement& ending,
                                         std::optional<Evaluator> condition) {
  const bool is_condition = condition.has_value();
  Evaluator values = is_condition ? *std::move(condition) : evaluator();
  const auto text = ending.text ? values.text(*ending.text) : std::optional(std::string());
  if (!text) return fail(values);
  if (ending.kind == EndingKind::Pause) {
    return make(statement,
                PauseAction{is_condition ? PauseReason::Condition : PauseReason::Statement, *text});
  }
  return finish(statement.place, {.is_failure = ending.kind == EndingKind::Fail, .text = *text});
}

Status Interpreter::start_at(std::uint32_t line) {
  const auto is_on_line = [&](const Instruction& i) {
    return i.is_line && i.statement != nullptr && i.statement->place.file == 0 &&
           i.statement->place.line == line;
  };
  const auto& all = code_.instructions;
  const auto found = std::find_if(all.begin(), all.end(), is_on_line);
  if (found == all.end()) {
    return Error{ErrorCode::NotFound,
                 fmt::format("no statement begins on line {}; begin at one that has one", line)};
  }
  if (!found->is_outer) {
    return Error{
        ErrorCode::InvalidInput,
        fmt::format(
            "line {} is inside of a block; begin at the line where the outermost IF, WHILE or FOR begins",
            line)};
  }
  for (auto i = all.begin(); i != found; ++i) {
    if (!i->is_outer || i->statement == nullptr || !only_sets(*i->statement)) continue;
    if (run_statement(*i->statement))
      return Error{ErrorCode::InvalidInput, std::get<EndAction>(state_.end->body).text};
  }
  state_.at = static_cast<std::size_t>(found - all.begin());
  return Done{};
}

}  // namespace sinew::language
