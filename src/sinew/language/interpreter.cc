// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/language/interpreter.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sinew/language/keywords.h"

namespace sinew::language {

Interpreter::Interpreter(const Program& program, const ProgramWorld& world, const InterpreterOptions& options)
    : program_(program), world_(world), options_(options), code_(lay_out(program)) {
  state_.frames.emplace_back();
}

// The program at the action that is being carried out: not as far as it has looked ahead.
const Interpreter::State& Interpreter::seen() const {
  const bool is_ahead = !state_.pending.empty() && state_.pending.front().then != nullptr;
  return is_ahead ? *state_.pending.front().then : state_;
}

Evaluator Interpreter::evaluator() {
  return evaluator_with(state_.units, state_.tool.pose, state_.frame.pose);
}

Evaluator Interpreter::evaluator_with(const Units& units, const Pose& X_FT, const Pose& X_BU) {
  return evaluator_of(state_, {.units = units, .X_FT = X_FT, .X_BU = X_BU});
}

Evaluator Interpreter::evaluator_of(const State& state, const Evaluator::Setting& setting) {
  Evaluator::Setting noting = setting;
  noting.has_looked_outside = &state_.has_looked_outside;
  return {world_, noting, [this, &state](const std::string& name) {
            const Frame& frame = state.frames.back();
            return find_variable(name, frame.sub == nullptr ? nullptr : &frame.variables,
                                 state.frames.front().variables);
          }};
}

Evaluator Interpreter::evaluator_of(const State& state, const Condition& condition) {
  Evaluator::Setting noting = condition.setting;
  noting.has_looked_outside = &state_.has_looked_outside;
  const auto of_its_sub = [&](const Frame& frame) { return frame.number == condition.frame; };
  const auto frame = std::ranges::find_if(state.frames, of_its_sub);
  const Variables* locals = condition.frame == 0          ? nullptr
                            : frame != state.frames.end() ? &frame->variables
                                                          : condition.locals.get();
  return {world_, noting, [this, locals, &state](const std::string& name) {
            return find_variable(name, locals, state.frames.front().variables);
          }};
}

// `locals` are those of a SUB; null in the program itself
const Value* Interpreter::find_variable(const std::string& name, const Variables* locals,
                                        const Variables& globals) const {
  if (locals != nullptr) {
    if (const auto found = locals->find(name); found != locals->end()) return &found->second;
    if (!code_.globals.contains(name)) return nullptr;
  }
  const auto found = globals.find(name);
  return found == globals.end() ? nullptr : &found->second;
}

Interpreter::Variables& Interpreter::scope_of(const std::string& name) {
  Frame& frame = state_.frames.back();
  if (frame.sub == nullptr) return frame.variables;
  const auto& parameters = frame.sub->sub->parameters;
  const bool is_parameter = std::find(parameters.begin(), parameters.end(), name) != parameters.end();
  return is_parameter || !code_.globals.contains(name) ? frame.variables : state_.frames.front().variables;
}

bool Interpreter::set_variable(const Place& place, const std::string& name, Value value,
                               Evaluator& evaluator) {
  Variables& variables = scope_of(name);
  const auto known = variables.find(name);
  if (known != variables.end() && type_of(known->second) != type_of(value)) {
    evaluator.refuse(place, fmt::format("'{}' is {} and cannot become {}; use another variable", name,
                                        type_text(type_of(known->second)), type_text(type_of(value))));
    return false;
  }
  std::size_t count = 0;
  for (const Frame& frame : state_.frames) count += frame.variables.size();
  if (known == variables.end() && count >= kMostVariables) {
    evaluator.refuse(place, fmt::format("there are {} variables, which is the most", kMostVariables));
    return false;
  }
  variables.insert_or_assign(name, std::move(value));
  return true;
}

Action Interpreter::make(const Statement& statement, ActionBody body) {
  return {
      .number = state_.next_number++, .place = statement.place, .id = statement.id, .body = std::move(body)};
}

Action Interpreter::finish(const Place& place, EndAction end) {
  state_.end = Action{.number = state_.next_number++, .place = place, .body = std::move(end)};
  state_.pending.clear();
  state_.repeat.clear();
  return *state_.end;
}

Action Interpreter::fail(const Place& place, std::string text) {
  return finish(place, {.is_failure = true, .is_fault = true, .text = std::move(text)});
}

Action Interpreter::fail(const Evaluator& evaluator) {
  return fail(evaluator.fault().place, evaluator.fault().text);
}

Action Interpreter::next() {
  if (state_.end) return *state_.end;
  if (options_.watches_conditions && !interrupting_) watch();
  if (!state_.end && interrupting_) {
    if (auto action = interrupt()) return *action;
  }
  return state_.end ? *state_.end : run();
}

// what an ON interrupted is asked for again, as it was
Action Interpreter::run_again() {
  Pending again = std::move(state_.repeat.front());
  state_.repeat.erase(state_.repeat.begin());
  again.then.reset();
  again.action.repeats = std::exchange(again.action.number, state_.next_number++);
  state_.pending.push_back(std::move(again));
  return state_.pending.back().action;
}

Action Interpreter::run() {
  for (std::uint64_t steps = 0; steps < options_.most_steps; ++steps) {
    if (!state_.repeat.empty()) return run_again();
    const std::size_t at = state_.at;
    auto action = step();
    if (!action) continue;
    const bool is_reported = !std::holds_alternative<PauseAction>(action->body) &&
                             !std::holds_alternative<EndAction>(action->body);
    if (is_reported) state_.pending.push_back({*action, at});
    return *action;
  }
  return fail(
      loop_place(),
      fmt::format("the program goes round without doing anything: {} steps and no move, no WAIT; put a "
                  "WAIT into the loop",
                  options_.most_steps));
}

std::optional<Action> Interpreter::next_move_ahead() {
  const bool may_look = !state_.end && !interrupting_ && state_.pending.size() < kMostAhead &&
                        !is_pause_asked_ && !is_single_step_;
  if (!may_look) return {};
  std::size_t variables = 0;
  for (const Frame& frame : state_.frames) variables += frame.variables.size();
  std::size_t kept = variables;
  for (const Pending& pending : state_.pending) kept += pending.kept_variables;
  if (kept > kMostKeptVariables) return {};
  // what is pending is kept once, not with every look
  std::vector<Pending> pending = std::exchange(state_.pending, {});
  auto before = std::make_shared<State>(state_);
  state_.pending = pending;
  state_.has_looked_outside = false;
  Action action = run();
  const bool is_free = std::holds_alternative<MoveAction>(action.body) && !state_.has_looked_outside;
  if (!is_free) {
    state_ = std::move(*before);
    state_.pending = std::move(pending);
    return {};
  }
  if (state_.pending.size() > 1) {
    Pending& last = state_.pending[state_.pending.size() - 2];
    last.then = std::move(before);
    last.kept_variables = variables;
  }
  return action;
}

std::optional<PauseReason> Interpreter::reason_to_pause(const Instruction& instruction) const {
  if (!instruction.is_line || instruction.statement == nullptr || state_.resumed_at == state_.at) return {};
  const Place& place = instruction.statement->place;
  if (place.file == 0 && breakpoints_.contains(place.line)) return PauseReason::Breakpoint;
  if (is_single_step_) return PauseReason::SingleStep;
  return is_pause_asked_ ? std::optional(PauseReason::Asked) : std::nullopt;
}

std::optional<Action> Interpreter::step() {
  const Instruction& instruction = code_.instructions[state_.at];
  if (const auto reason = reason_to_pause(instruction)) {
    state_.resumed_at = state_.at;
    is_pause_asked_ = false;
    return make(*instruction.statement, PauseAction{*reason, ""});
  }
  state_.resumed_at = SIZE_MAX;
  switch (instruction.operation) {
    case Operation::Run:
    case Operation::WaitUntil:
      ++state_.at;
      return run_statement(*instruction.statement);
    case Operation::JumpUnless: {
      Evaluator values = evaluator();
      const auto holds = values.truth(*instruction.condition, "the condition");
      if (!holds) return fail(values);
      state_.at = *holds ? state_.at + 1 : instruction.target;
      return {};
    }
    case Operation::Jump:
      state_.at = instruction.target;
      return {};
    case Operation::ForBegin:
      return step_for(instruction, true);
    case Operation::ForNext:
      return step_for(instruction, false);
    case Operation::Call:
      return step_call(*instruction.statement, std::get<CallStatement>(instruction.statement->body),
                       state_.at + 1, evaluator());
    case Operation::Return:
      return step_return(instruction);
    case Operation::End:
      break;
  }
  return finish(place(), {});
}

std::optional<Action> Interpreter::run_statement(const Statement& statement) {
  return std::visit([&](const auto& body) { return perform(statement, body); }, statement.body);
}

// counts turns instead of adding up, so that 0 TO 1 STEP 0.1 has eleven
bool Interpreter::begin_loop(const Statement& statement) {
  const auto& loop = std::get<ForStatement>(statement.body);
  Evaluator values = evaluator();
  const auto from = values.number(loop.from, "the first number of FOR");
  const auto to = from ? values.number(loop.to, "the last number of FOR") : std::nullopt;
  const auto step = !to         ? std::nullopt
                    : loop.step ? values.number(*loop.step, "the STEP of FOR")
                                : std::optional(1.0);
  if (step && *step == 0.0) values.refuse(loop.step->place, "the STEP of FOR is 0; the loop would never end");
  if (!step || *step == 0.0) {
    fail(values);
    return false;
  }
  constexpr double kSlack = 1e-9;
  const double turns = std::floor((*to - *from) / *step + kSlack) + 1.0;
  state_.frames.back().loops[&statement] = {*from, *step, turns, 0.0};
  return true;
}

std::optional<Action> Interpreter::step_for(const Instruction& instruction, bool is_begin) {
  if (is_begin && !begin_loop(*instruction.statement)) return *state_.end;
  Loop& loop = state_.frames.back().loops[instruction.statement];
  if (!is_begin) loop.turn += 1.0;
  if (!(loop.turn < loop.turns)) {
    state_.frames.back().loops.erase(instruction.statement);
    state_.at = is_begin ? instruction.target : state_.at + 1;
    return {};
  }
  const auto& statement = std::get<ForStatement>(instruction.statement->body);
  Evaluator values = evaluator();
  if (!set_variable(instruction.statement->place, statement.variable, loop.from + loop.turn * loop.step,
                    values))
    return fail(values);
  state_.at = is_begin ? state_.at + 1 : instruction.target;
  return {};
}

std::optional<Action> Interpreter::step_call(const Statement& statement, const CallStatement& call,
                                             std::size_t return_to, Evaluator values) {
  const auto found = code_.subs.find(call.name);
  if (found == code_.subs.end()) return fail(statement.place, fmt::format("there is no SUB '{}'", call.name));
  const SubCode& sub = found->second;
  if (call.arguments.size() != sub.sub->parameters.size()) {
    return fail(statement.place, fmt::format("SUB {} takes {} arguments, and here are {}", call.name,
                                             sub.sub->parameters.size(), call.arguments.size()));
  }
  if (state_.frames.size() > kMostCalls) {
    return fail(statement.place,
                fmt::format("SUBs call each other {} deep, which is the most; does '{}' call itself "
                            "without an end?",
                            kMostCalls, call.name));
  }
  Frame frame{.sub = &sub,
              .number = state_.next_frame++,
              .return_to = return_to,
              .result = call.result,
              .call_place = statement.place};
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    auto argument = values.value(call.arguments[i]);
    if (!argument) return fail(values);
    frame.variables.insert_or_assign(sub.sub->parameters[i], std::move(*argument));
  }
  state_.frames.push_back(std::move(frame));
  state_.at = sub.entry;
  return {};
}

std::optional<Action> Interpreter::step_return(const Instruction& instruction) {
  Evaluator values = evaluator();
  std::optional<Value> result;
  const auto* leave =
      instruction.statement == nullptr ? nullptr : std::get_if<ReturnStatement>(&instruction.statement->body);
  if (leave != nullptr && leave->value) {
    result = values.value(*leave->value);
    if (!result) return fail(values);
  }
  Frame frame = std::move(state_.frames.back());
  state_.frames.pop_back();
  for (Condition& condition : state_.conditions) {
    if (condition.frame == frame.number && frame.number != 0)
      condition.locals = std::make_shared<const Variables>(frame.variables);
  }
  state_.at = frame.return_to;
  state_.repeat = std::move(frame.repeat);
  if (!frame.result) return {};
  if (!result) {
    return fail(frame.call_place,
                fmt::format("SUB {} returns no value for '{}'; end it with RETURN and a value",
                            frame.sub->sub->name, *frame.result));
  }
  if (!set_variable(frame.call_place, *frame.result, std::move(*result), values)) return fail(values);
  return {};
}

void Interpreter::report(const Outcome& outcome) {
  const auto found = std::find_if(state_.pending.begin(), state_.pending.end(),
                                  [&](const Pending& p) { return p.action.number == outcome.number; });
  if (state_.end || found == state_.pending.end()) return;
  const Pending ended = std::move(*found);
  state_.pending.erase(found);
  if (outcome.kind == OutcomeKind::Done) return;
  if (outcome.kind == OutcomeKind::Failed) {
    fail(ended.action.place, outcome.reason);
    return;
  }
  const Instruction& instruction = code_.instructions[ended.at];
  const auto* wait = std::get_if<WaitUntilStatement>(&instruction.statement->body);
  if (wait != nullptr && wait->otherwise) {
    state_.at = instruction.target;
  } else {
    fail(ended.action.place,
         "the condition did not come true in time; write ELSE behind the WAIT to go on otherwise");
  }
}

Place Interpreter::place() const {
  for (std::size_t i = state_.at; i < code_.instructions.size(); ++i) {
    if (code_.instructions[i].statement != nullptr) return code_.instructions[i].statement->place;
    if (code_.instructions[i].operation == Operation::End) break;
  }
  return {0, 0, 0};
}

// the head of the innermost loop that the program is in
Place Interpreter::loop_place() const {
  for (std::size_t i = state_.at; i < code_.instructions.size(); ++i) {
    const Instruction& instruction = code_.instructions[i];
    const bool goes_back =
        instruction.operation == Operation::Jump || instruction.operation == Operation::ForNext;
    if (!goes_back || instruction.target > state_.at) continue;
    const Instruction& head = code_.instructions[instruction.target];
    const Statement* loop =
        instruction.operation == Operation::ForNext ? instruction.statement : head.statement;
    if (loop != nullptr) return loop->place;
  }
  return place();
}

std::vector<std::pair<std::string, std::string>> Interpreter::variables() const {
  std::map<std::string, std::string> texts;
  const State& state = seen();
  for (const Frame* frame : {&state.frames.front(), &state.frames.back()}) {
    for (const auto& [name, value] : frame->variables)
      texts[name] =
          value_text(value, state.units, [this](std::size_t joint) { return world_.is_revolute(joint); });
  }
  return {texts.begin(), texts.end()};
}

}  // namespace sinew::language
