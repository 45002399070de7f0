// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/language/check.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "sinew/language/interpreter.h"

namespace sinew::language {
namespace {

/// The world of a walk: inputs change by turns, so that loops end and branches are seen.
class WalkWorld final : public ProgramWorld {
 public:
  explicit WalkWorld(const ProgramWorld& world) : world_(world) {}

  std::size_t joint_count() const override { return world_.joint_count(); }
  bool is_revolute(std::size_t joint) const override { return world_.is_revolute(joint); }
  std::optional<std::vector<std::string>> names(NameKind kind) const override { return world_.names(kind); }
  std::optional<Pose> tool(std::string_view name) const override { return world_.tool(name); }
  std::optional<Pose> frame(std::string_view name) const override { return world_.frame(name); }
  std::optional<std::variant<Pose, JointValues>> point(std::string_view name) const override {
    return world_.point(name);
  }
  std::optional<bool> input(std::string_view name) const override {
    if (!is_known(NameKind::Input, name)) return {};
    bool& is_on = inputs_.try_emplace(std::string(name), true).first->second;
    is_on = !is_on;
    return is_on;
  }
  std::optional<double> analog_input(std::string_view name) const override {
    return is_known(NameKind::AnalogInput, name) ? std::optional(0.0) : std::nullopt;
  }
  std::optional<Pose> flange_now() const override { return world_.flange_now(); }
  std::optional<std::vector<double>> joints_now() const override { return world_.joints_now(); }
  // where everything goes well most moves are seen
  std::optional<bool> holds() const override { return true; }
  // what depends on a thing that nobody knows of cannot be judged
  Result<Pose> object(std::string_view name) const override {
    auto found = world_.object(name);
    (found ? has_assumed_objects_ : has_missed_objects_) = true;
    if (found) return found;
    return Error{ErrorCode::NotFound,
                 has_assumed_objects_
                     ? fmt::format("{}; what comes from here on is not walked", found.error().message)
                     : fmt::format("where '{}' is will be known when the program runs; what comes "
                                   "from here on is not walked",
                                   name)};
  }
  bool has_assumed_objects() const { return has_assumed_objects_; }
  bool has_missed_objects() const { return has_missed_objects_; }

  using Inputs = std::map<std::string, bool>;
  const Inputs& inputs() const { return inputs_; }
  /// As if what was read since had not been.
  void forget_since(Inputs inputs) { inputs_ = std::move(inputs); }

 private:
  // numbers of ports that are worked out on the way are known only here
  bool is_known(NameKind kind, std::string_view name) const {
    const auto names = world_.names(kind);
    return !names || std::find(names->begin(), names->end(), name) != names->end();
  }

  const ProgramWorld& world_;
  mutable Inputs inputs_;
  mutable bool has_assumed_objects_ = false;
  mutable bool has_missed_objects_ = false;
};

using PlaceKey = std::tuple<std::size_t, std::uint32_t, std::uint32_t>;

PlaceKey key_of(const Place& place) {
  return {place.file, place.line, place.column};
}

/// Moves of a program, or of one SUB, that a walk did not come by.
class UnseenMoves {
 public:
  explicit UnseenMoves(const std::set<PlaceKey>& seen) : seen_(seen) {}

  void look(const Block& block) {
    for (const Statement& statement : block)
      std::visit([&](const auto& body) { at(statement, body); }, statement.body);
  }
  std::size_t count() const { return count_; }
  const Place& first() const { return first_; }

 private:
  template <class Body>
  void at(const Statement& /*statement*/, const Body& /*body*/) {}
  void at(const Statement& statement, const MoveStatement& /*move*/) {
    if (seen_.contains(key_of(statement.place))) return;
    if (count_++ == 0) first_ = statement.place;
  }
  void at(const Statement& /*statement*/, const IfStatement& branch) {
    for (const IfClause& clause : branch.clauses) look(clause.body);
  }
  void at(const Statement& /*statement*/, const WhileStatement& loop) { look(loop.body); }
  void at(const Statement& /*statement*/, const ForStatement& loop) { look(loop.body); }
  void at(const Statement& /*statement*/, const WaitUntilStatement& wait) {
    if (wait.otherwise) look(*wait.otherwise);
  }

  const std::set<PlaceKey>& seen_;
  std::size_t count_ = 0;
  Place first_;
};

/// One walk through a program, as the interpreter runs it.
class Walk {
 public:
  Walk(const Program& program, const ProgramWorld& world, MoveJudge* judge, const CheckOptions& options,
       CheckReport& report)
      : program_(program),
        world_(world),
        judge_(judge),
        options_(options),
        report_(report),
        interpreter_(program, world_, {.watches_conditions = false}) {}

  void go();

 private:
  bool begin();
  void walk();
  void show(const Action& action);
  void show_chain(const Action& first);
  void add(const Place& place, std::vector<Judgement> judgements);
  void stand(const Place& place, double seconds);
  void tell_unseen();
  void tell_unseen(const Block& block, const std::string& of);

  const Program& program_;
  WalkWorld world_;
  MoveJudge* judge_;
  const CheckOptions& options_;
  CheckReport& report_;
  Interpreter interpreter_;
  std::set<PlaceKey> seen_;
};

void Walk::add(const Place& place, std::vector<Judgement> judgements) {
  for (Judgement& judgement : judgements)
    report_.findings.add({judgement.severity, judgement.place.value_or(place), std::move(judgement.text)});
}

void Walk::stand(const Place& place, double seconds) {
  if (judge_ != nullptr) add(place, judge_->stand(seconds));
}

void Walk::show(const Action& action) {
  ++report_.actions;
  if (judge_ != nullptr) judge_->come_to(action.place);
  if (const auto* move = std::get_if<MoveAction>(&action.body)) {
    ++report_.moves;
    seen_.insert(key_of(action.place));
    if (judge_ != nullptr) add(action.place, judge_->judge(*move));
    return;
  }
  const auto* wait = std::get_if<WaitAction>(&action.body);
  stand(action.place, wait != nullptr ? wait->duration : 0.0);
  if (judge_ == nullptr) return;
  if (const auto* output = std::get_if<OutputAction>(&action.body)) add(action.place, judge_->judge(*output));
  if (const auto* payload = std::get_if<PayloadAction>(&action.body))
    add(action.place, judge_->judge(*payload));
  if (const auto* gripper = std::get_if<GripperAction>(&action.body))
    add(action.place, judge_->judge(*gripper));
}

// As far as a run would look ahead, and no further: what is blended there is blended here.
void Walk::show_chain(const Action& first) {
  std::vector<std::uint64_t> numbers{first.number};
  const auto is_blended = [](const Action& action) {
    const auto* move = std::get_if<MoveAction>(&action.body);
    return move != nullptr && move->timing.blend_radius > 0.0;
  };
  show(first);
  std::optional<Action> last = first;
  while (is_blended(*last) && report_.actions < options_.most_actions) {
    const WalkWorld::Inputs before = world_.inputs();
    last = interpreter_.next_move_ahead();
    if (!last) {
      world_.forget_since(before);
      stand(first.place, 0.0);
      break;
    }
    show(*last);
    numbers.push_back(last->number);
  }
  for (const std::uint64_t number : numbers) interpreter_.report({.number = number});
}

bool Walk::begin() {
  if (options_.from_line == 0) return true;
  const Status begun = interpreter_.start_at(options_.from_line);
  if (!begun) report_.findings.error({0, options_.from_line, 1}, begun.error().message);
  return begun.has_value();
}

void Walk::go() {
  if (!begin()) return;
  walk();
  report_.assumes_objects = world_.has_assumed_objects();
}

void Walk::walk() {
  while (report_.actions < options_.most_actions) {
    const Action action = interpreter_.next();
    const auto* end = std::get_if<EndAction>(&action.body);
    if (end == nullptr) {
      show_chain(action);
      continue;
    }
    report_.is_whole = !world_.has_missed_objects();
    if (!report_.is_whole)
      report_.findings.warning(action.place, end->text);
    else if (end->is_fault)
      report_.findings.error(action.place, end->text);
    else if (end->is_failure && world_.has_assumed_objects())
      report_.findings.warning(
          action.place, fmt::format("with things where the world has them it fails here: {}", end->text));
    stand(action.place, 0.0);
    if (end->is_fault) return;
    break;
  }
  if (!report_.is_whole) stand(interpreter_.place(), 0.0);
  // what stands before the line is left out on purpose
  if (judge_ != nullptr && options_.from_line == 0) tell_unseen();
}

void Walk::tell_unseen() {
  for (const auto& file : program_.files) {
    tell_unseen(file.statements, "the program");
    for (const Statement& statement : file.statements)
      if (const auto* sub = std::get_if<SubStatement>(&statement.body))
        tell_unseen(sub->body, fmt::format("SUB {}", sub->name));
  }
}

void Walk::tell_unseen(const Block& block, const std::string& of) {
  UnseenMoves unseen(seen_);
  unseen.look(block);
  if (unseen.count() == 0) return;
  report_.unseen += unseen.count();
  report_.findings.warning(
      unseen.first(),
      fmt::format("{} of {} from here on {} not looked at: the walk of the check did not come by",
                  unseen.count() == 1 ? std::string("one move") : fmt::format("{} moves", unseen.count()), of,
                  unseen.count() == 1 ? "was" : "were"));
}

}  // namespace

CheckReport check_program(const Program& program, const ProgramWorld& world, MoveJudge* judge,
                          const CheckOptions& options) {
  CheckReport report;
  check_names_and_types(program, world, report.findings);
  if (!report.findings.has_errors()) Walk(program, world, judge, options, report).go();
  report.findings.sort();
  return report;
}

}  // namespace sinew::language
