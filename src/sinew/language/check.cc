// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/language/check.h"

#include <map>

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
    bool& is_on = inputs_.try_emplace(std::string(name), true).first->second;
    is_on = !is_on;
    return is_on;
  }
  std::optional<double> analog_input(std::string_view /*name*/) const override { return 0.0; }
  std::optional<Pose> flange_now() const override { return world_.flange_now(); }
  std::optional<std::vector<double>> joints_now() const override { return world_.joints_now(); }
  // where everything goes well most moves are seen
  std::optional<bool> holds() const override { return true; }

 private:
  const ProgramWorld& world_;
  mutable std::map<std::string, bool> inputs_;
};

void walk(const Program& program, const ProgramWorld& world, MoveJudge* judge, const CheckOptions& options,
          CheckReport& report) {
  const WalkWorld walk_world(world);
  Interpreter interpreter(program, walk_world, {.watches_conditions = false});
  while (report.actions < options.most_actions) {
    const Action action = interpreter.next();
    if (const auto* end = std::get_if<EndAction>(&action.body)) {
      if (end->is_fault) report.findings.error(action.place, end->text);
      report.is_whole = true;
      if (judge != nullptr) judge->stand(0.0);
      return;
    }
    ++report.actions;
    const auto* move = std::get_if<MoveAction>(&action.body);
    if (move != nullptr) {
      ++report.moves;
      if (judge != nullptr) {
        for (Judgement& judgement : judge->judge(*move))
          report.findings.add({judgement.severity, action.place, std::move(judgement.text)});
      }
    } else if (judge != nullptr) {
      const auto* wait = std::get_if<WaitAction>(&action.body);
      judge->stand(wait != nullptr ? wait->duration : 0.0);
    }
    interpreter.report({.number = action.number});
  }
}

}  // namespace

CheckReport check_program(const Program& program, const ProgramWorld& world, MoveJudge* judge,
                          const CheckOptions& options) {
  CheckReport report;
  check_names_and_types(program, world, report.findings);
  if (!report.findings.has_errors()) walk(program, world, judge, options, report);
  report.findings.sort();
  return report;
}

}  // namespace sinew::language
