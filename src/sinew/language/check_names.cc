// SPDX-License-Identifier: BSD-3-Clause
// Names, types and counts, told without running the program.
#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/base/text.h"
#include "sinew/language/check.h"
#include "sinew/language/code.h"
#include "sinew/language/interpreter.h"

namespace sinew::language {
namespace {

struct VariableFacts {
  Type type = Type::Unknown;
  Place place;  ///< Where it is first set.
  bool is_used = false;
  bool is_quiet = false;  ///< Arguments and variables of FOR need not be used.
};

/// Looks at every statement, twice: first to learn what variables there are, then to judge.
class NameChecker {
 public:
  NameChecker(const Program& program, const ProgramWorld& world, FindingList& findings)
      : program_(program), code_(lay_out(program)), world_(world), findings_(findings) {}

  void run() {
    collect_own_frames();
    for (const bool is_judging : {false, true}) {
      is_judging_ = is_judging;
      block(program_.files[0].statements);
    }
    warn_of_unused();
  }

 private:
  void block(const Block& statements) {
    for (const Statement& statement : statements) {
      current_ = &statement;
      check_id(statement);
      std::visit([this](const auto& body) { look(body); }, statement.body);
    }
  }

  void error(const Place& place, std::string text) {
    if (is_judging_) findings_.error(place, std::move(text));
  }
  void warning(const Place& place, std::string text) {
    if (is_judging_) findings_.warning(place, std::move(text));
  }

  // ---- statements

  void look(const CommentStatement&) {}
  void look(const OffStatement&) {}
  void look(const LoopJumpStatement&) {}
  void look(const MoveStatement& move) {
    const bool is_joint = takes_joint_numbers(move.motion);
    if (move.tool && !is_joint && !is_tool_name(*move.tool)) known_tool(move.tool_place, *move.tool);
    const bool is_tool_axes =
        move.motion.kind == MotionKind::ToolDelta && move.frame && is_tool_name(*move.frame);
    if (move.frame && !is_joint && !is_tool_axes) known_frame(move.frame_place, *move.frame);
    for (const GoalValues& goal : move.goals) look_at_goal(move.motion, goal);
    look_at_options(move.options);
    if (move.units) look_at_units(*move.units);
    if (move.until) wants(*move.until, Type::Truth, "the condition of UNTIL");
  }
  void look(const AssignStatement& assign) {
    set(assign.name, type_of_expression(assign.value), current_->place);
  }
  void look(const CallStatement& call) {
    const Place place = current_->place;
    std::vector<Type> types;
    for (const Expression& argument : call.arguments) types.push_back(type_of_expression(argument));
    const auto found = code_.subs.find(call.name);
    if (found == code_.subs.end()) {
      std::vector<std::string> names;
      for (const auto& [name, sub] : code_.subs) names.push_back(name);
      error(place, fmt::format("there is no SUB '{}'{}; write one, or INCLUDE the file that has it",
                               call.name, did_you_mean(call.name, names)));
    } else {
      called_.insert(call.name);
      const std::size_t wanted = found->second.sub->parameters.size();
      if (wanted != call.arguments.size()) {
        error(place, fmt::format("SUB {}({}) takes {} argument{}, and here are {}", call.name,
                                 fmt::join(found->second.sub->parameters, ", "), wanted,
                                 wanted == 1 ? "" : "s", call.arguments.size()));
      }
    }
    if (call.result) set(*call.result, Type::Unknown, place);
  }
  void look(const EndingStatement& ending) {
    if (ending.text) type_of_expression(*ending.text);
  }
  void look(const WaitStatement& wait) { wants(wait.duration, Type::Number, "the time of WAIT"); }
  void look(const WaitUntilStatement& wait) {
    wants(wait.condition, Type::Truth, "the condition of WAIT");
    if (wait.timeout) wants(*wait.timeout, Type::Number, "the timeout of WAIT");
    if (wait.otherwise) block(*wait.otherwise);
  }
  void look(const OutputStatement& output) {
    known_outside(NameKind::Output, output.output, "output");
    if (output.time) wants(*output.time, Type::Number, "the time of PULSE");
    if (!output.value) return;
    const Type type = type_of_expression(*output.value);
    if (type != Type::Unknown && type != Type::Number && type != Type::Truth)
      error(output.value->place,
            fmt::format("an output takes a truth or a number, and this is {}", type_text(type)));
  }
  void look(const GripperStatement& gripper) {
    if (gripper.gripper) known(NameKind::Gripper, "gripper", gripper.name_place, *gripper.gripper, {});
    if (gripper.width) wants(*gripper.width, Type::Number, "the width of GRIPPER");
    look_at_options(gripper.options);
  }
  void look(const PrintStatement& print) {
    for (const Expression& item : print.items) type_of_expression(item);
  }
  void look(const FrameStatement& frame) {
    if (frame.value) {
      wants(*frame.value, Type::Pose, frame.is_tool ? "a tool" : "a frame");
    } else if (frame.is_tool) {
      known_tool(frame.name_place, frame.name);
    } else {
      known_frame(frame.name_place, frame.name);
    }
  }
  void look(const UnitsStatement& units) { look_at_units(units.units); }
  void look(const SpeedStatement& speed) { wants(speed.value, Type::Number, "a speed"); }
  void look(const BlendStatement& blend) { wants(blend.radius, Type::Number, "a blend radius"); }
  void look(const PayloadStatement& payload) {
    for (const Expression& value : payload.values) wants(value, Type::Number, "a value of PAYLOAD");
  }
  void look(const IfStatement& branch) {
    for (const IfClause& clause : branch.clauses) {
      if (clause.condition) wants(*clause.condition, Type::Truth, "the condition of IF");
      block(clause.body);
    }
  }
  void look(const WhileStatement& loop) {
    wants(loop.condition, Type::Truth, "the condition of WHILE");
    block(loop.body);
  }
  void look(const ForStatement& loop) {
    wants(loop.from, Type::Number, "the first number of FOR");
    wants(loop.to, Type::Number, "the last number of FOR");
    if (loop.step) wants(*loop.step, Type::Number, "the STEP of FOR");
    set(loop.variable, Type::Number, current_->place).is_quiet = true;
    block(loop.body);
  }
  void look(const SubStatement& sub) {
    const Place place = current_->place;
    if (const auto found = code_.subs.find(sub.name); found->second.sub != &sub) {
      error(place, fmt::format("there is a SUB '{}' already, in line {}; rename one", sub.name,
                               found->second.place.line));
    }
    sub_ = &sub;
    for (const std::string& parameter : sub.parameters) {
      VariableFacts& facts = locals_[&sub][parameter];
      facts.place = place;
      facts.is_quiet = true;
    }
    block(sub.body);
    sub_ = nullptr;
  }
  void look(const ReturnStatement& leave) {
    if (leave.value) type_of_expression(*leave.value);
  }
  void look(const OnStatement& on) {
    wants(on.condition, Type::Truth, "the condition of ON");
    std::visit([this](const auto& reaction) { look(reaction); }, on.reaction);
  }
  void look(const IncludeStatement& include) {
    if (include.is_first) block(program_.files[include.file].statements);
  }

  void look_at_units(const UnitsField& field) {
    const auto units = units_from(field, {});
    if (const auto* finding = std::get_if<Finding>(&units)) error(finding->place, finding->text);
  }

  void look_at_options(const std::vector<MoveOption>& options) {
    bool has_time = false;
    bool has_speed = false;
    for (const MoveOption& option : options) {
      wants(option.value, Type::Number,
            fmt::format("the option '{}'", option.key.empty() ? "t" : option.key));
      has_time = has_time || option.key.empty() || option.key == "t";
      has_speed = has_speed || option.key == "v";
    }
    if (has_time && has_speed)
      error(options[0].value.place, "a move has a time or a speed, not both; take one out");
  }

  void look_at_goal(const MotionWord& motion, const GoalValues& goal) {
    std::vector<Type> types;
    for (const Expression& value : goal) types.push_back(type_of_expression(value));
    if (goal.empty()) return;
    const bool is_whole = goal.size() == 1 && types[0] != Type::Number;
    if (!is_whole) {
      for (std::size_t i = 0; i < goal.size(); ++i) {
        if (types[i] != Type::Number && types[i] != Type::Unknown)
          error(goal[i].place,
                fmt::format("{} cannot be one of several values; numbers can", type_text(types[i])));
      }
      if (auto complaint = goal_complaint(motion, goal.size(), world_.joint_count()))
        error(goal[0].place, std::move(*complaint));
      return;
    }
    const bool is_delta = motion.kind == MotionKind::JointDelta || motion.kind == MotionKind::ToolDelta;
    const bool takes_joints = takes_joint_numbers(motion);
    const bool is_right = types[0] == Type::Unknown || (types[0] == Type::Pose && !is_delta) ||
                          (types[0] == Type::Joints && takes_joints);
    if (is_right) return;
    const std::string_view remedy = is_delta                   ? "it takes numbers"
                                    : types[0] == Type::Joints ? "use MOVEJ, or a pose"
                                                               : "a pose or numbers can";
    error(goal[0].place,
          fmt::format("{} cannot be the goal of {}; {}", type_text(types[0]), motion_text(motion), remedy));
  }

  // P0004 behind P0002: a line was lost
  void check_id(const Statement& statement) {
    if (statement.id.empty() || !is_judging_) return;
    // behind the P or the <
    const long number = std::strtol(statement.id.c_str() + 1, nullptr, 10);
    if (last_id_ >= 0 && number - 1 != last_id_) {
      warning(statement.place,
              fmt::format("the command {} follows number {}; is one missing, or out of order?", statement.id,
                          last_id_));
    }
    last_id_ = number;
  }

  // ---- names from outside

  void collect_own_frames() {
    for (const SourceFile& file : program_.files) collect_own_frames(file.statements);
  }
  void collect_own_frames(const Block& statements) {
    for (const Statement& statement : statements) {
      if (const auto* frame = std::get_if<FrameStatement>(&statement.body); frame != nullptr && frame->value)
        (frame->is_tool ? own_tools_ : own_frames_).push_back(frame->name);
      if (const auto* sub = std::get_if<SubStatement>(&statement.body)) collect_own_frames(sub->body);
      if (const auto* loop = std::get_if<WhileStatement>(&statement.body)) collect_own_frames(loop->body);
      if (const auto* loop = std::get_if<ForStatement>(&statement.body)) collect_own_frames(loop->body);
      if (const auto* wait = std::get_if<WaitUntilStatement>(&statement.body);
          wait != nullptr && wait->otherwise)
        collect_own_frames(*wait->otherwise);
      if (const auto* branch = std::get_if<IfStatement>(&statement.body)) {
        for (const IfClause& clause : branch->clauses) collect_own_frames(clause.body);
      }
    }
  }

  // ports have names and numbers; people are told the names, where there are any
  static void keep_words(std::vector<std::string>& names) {
    const auto is_number = [](const std::string& name) {
      return name.find_first_not_of("0123456789") == std::string::npos;
    };
    if (!std::all_of(names.begin(), names.end(), is_number)) std::erase_if(names, is_number);
  }

  void known(NameKind kind, std::string_view what, const Place& place, const std::string& name,
             const std::vector<std::string>& own) {
    auto names = world_.names(kind);
    if (!names) return;
    names->insert(names->end(), own.begin(), own.end());
    if (std::find(names->begin(), names->end(), name) != names->end()) return;
    keep_words(*names);
    constexpr std::size_t kMostShown = 12;
    const std::string rest = names->size() > kMostShown ? ", …" : "";
    if (names->size() > kMostShown) names->resize(kMostShown);
    const std::string list =
        names->empty() ? "there is none at all" : fmt::format("known: {}{}", fmt::join(*names, ", "), rest);
    error(place,
          fmt::format("there is no {} {{{}}}{}; {}", what, shown(name), did_you_mean(name, *names), list));
  }
  void known_tool(const Place& place, const std::string& name) {
    // a robot may know its tools by more names than it lists
    const bool is_known = world_.names(NameKind::Tool) && world_.tool(name);
    if (!is_flange_name(name) && !is_known) known(NameKind::Tool, "tool", place, name, own_tools_);
  }
  void known_frame(const Place& place, const std::string& name) {
    if (!is_base_name(name) && !is_user_name(name)) known(NameKind::Frame, "frame", place, name, own_frames_);
  }
  void known_outside(NameKind kind, const Expression& e, std::string_view what) {
    if (e.kind == ExpressionKind::Name) return known(kind, what, e.place, e.text, {});
    wants(e, Type::Number, fmt::format("the number of an {}", what));
    if (e.kind == ExpressionKind::Number) known(kind, what, e.place, e.text, {});
  }

  // ---- variables

  VariableFacts& set(const std::string& name, Type type, const Place& place) {
    auto& scope = scope_of(name);
    const auto [entry, is_new] = scope.try_emplace(name);
    VariableFacts& facts = entry->second;
    if (is_new) facts.place = place;
    if (facts.type == Type::Unknown) facts.type = type;
    if (type != Type::Unknown && facts.type != type) {
      error(place, fmt::format("'{}' is {} since line {} and cannot become {}; use another variable", name,
                               type_text(facts.type), facts.place.line, type_text(type)));
    }
    return facts;
  }

  std::map<std::string, VariableFacts>& scope_of(const std::string& name) {
    if (sub_ == nullptr) return globals_;
    const bool is_parameter =
        std::find(sub_->parameters.begin(), sub_->parameters.end(), name) != sub_->parameters.end();
    return is_parameter || !code_.globals.contains(name) ? locals_[sub_] : globals_;
  }

  Type use(const Expression& e) {
    auto& scope = scope_of(e.text);
    const auto found = scope.find(e.text);
    if (found != scope.end()) {
      found->second.is_used = true;
      return found->second.type;
    }
    std::vector<std::string> names;
    for (const auto& [name, facts] : scope) names.push_back(name);
    for (const auto& [name, facts] : globals_) names.push_back(name);
    error(e.place, fmt::format("there is no variable '{}'{}; give it a value before, as in {} = 1", e.text,
                               did_you_mean(e.text, names), e.text));
    return Type::Unknown;
  }

  void warn_of_unused() {
    const auto warn = [&](const std::map<std::string, VariableFacts>& scope) {
      for (const auto& [name, facts] : scope) {
        if (!facts.is_used && !facts.is_quiet)
          findings_.warning(
              facts.place,
              fmt::format("'{}' is set and never used; take it out, or is it misspelled?", name));
      }
    };
    warn(globals_);
    for (const auto& [sub, scope] : locals_) warn(scope);
    for (const auto& [name, sub] : code_.subs) {
      if (!called_.contains(name) && sub.place.file == 0)
        findings_.warning(sub.place, fmt::format("SUB '{}' is never called", name));
    }
  }

  // ---- types

  void wants(const Expression& e, Type wanted, std::string_view what) {
    const Type type = type_of_expression(e);
    if (type == Type::Unknown || type == wanted) return;
    error(e.place, fmt::format("{} must be {}, and is {}", what, type_text(wanted), type_text(type)));
  }

  Type type_of_expression(const Expression& e) {
    switch (e.kind) {
      case ExpressionKind::Number:
        return Type::Number;
      case ExpressionKind::Text:
      case ExpressionKind::Name:
        return Type::Text;
      case ExpressionKind::Constant:
        return e.text == "PI" ? Type::Number : Type::Truth;
      case ExpressionKind::Variable:
        return use(e);
      case ExpressionKind::Group:
        return type_of_expression(e.operands[0]);
      case ExpressionKind::Part: {
        const Type whole = type_of_expression(e.operands[0]);
        if (whole != Type::Pose && whole != Type::Unknown)
          error(e.place, fmt::format("only a pose has a part .{}, and this is {}", e.text, type_text(whole)));
        return Type::Number;
      }
      case ExpressionKind::Source:
        return type_of_source(e);
      case ExpressionKind::Call:
        return type_of_call(e);
      case ExpressionKind::Unary:
      case ExpressionKind::Binary:
        break;
    }
    return type_of_operation(e);
  }

  Type type_of_operation(const Expression& e) {
    const Type left = type_of_expression(e.operands[0]);
    if (e.kind == ExpressionKind::Unary) {
      if (const auto type = unary_type(e.text, left)) return *type;
      error(e.place, fmt::format("{} cannot work on {}", e.text, type_text(left)));
      return Type::Unknown;
    }
    const Type right = type_of_expression(e.operands[1]);
    if (const auto type = binary_type(e.text, left, right)) return *type;
    error(e.place, fmt::format("{} cannot work on {} and {}", e.text, type_text(left), type_text(right)));
    return Type::Unknown;
  }

  Type type_of_call(const Expression& e) {
    std::vector<Type> types;
    for (const Expression& argument : e.operands) types.push_back(type_of_expression(argument));
    const Signature* signature = find_signature(e.text);
    if (signature == nullptr) return Type::Unknown;
    if (auto complaint = call_complaint(*signature, types)) error(e.place, std::move(*complaint));
    return signature->result;
  }

  Type type_of_source(const Expression& e) {
    if (e.text == "IN") {
      known_outside(NameKind::Input, e.operands[0], "input");
      return Type::Truth;
    }
    if (e.text == "AIN") {
      known_outside(NameKind::AnalogInput, e.operands[0], "analog input");
      return Type::Number;
    }
    const Expression& name = e.operands[0];
    known(NameKind::Point, "point", name.place, name.text, {});
    const auto point = world_.names(NameKind::Point) ? world_.point(name.text) : std::nullopt;
    if (!point) return Type::Unknown;
    return std::holds_alternative<Pose>(*point) ? Type::Pose : Type::Joints;
  }

  const Program& program_;
  const Code code_;
  const ProgramWorld& world_;
  FindingList& findings_;
  const Statement* current_ = nullptr;
  const SubStatement* sub_ = nullptr;
  std::map<std::string, VariableFacts> globals_;
  std::map<const SubStatement*, std::map<std::string, VariableFacts>> locals_;
  std::vector<std::string> own_tools_;
  std::vector<std::string> own_frames_;
  std::set<std::string> called_;
  long last_id_ = -1;
  bool is_judging_ = false;
};

}  // namespace

void check_names_and_types(const Program& program, const ProgramWorld& world, FindingList& findings) {
  NameChecker(program, world, findings).run();
}

}  // namespace sinew::language
