// SPDX-License-Identifier: BSD-3-Clause
// Statements that are no moves, carried out or turned into actions.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sinew/base/text.h"
#include "sinew/language/interpreter.h"

namespace sinew::language {
namespace {

constexpr double kLongestTime = 1e6;  ///< [s]

std::vector<std::string> joined(std::vector<std::string> names,
                                const std::map<std::string, Pose, std::less<>>& own) {
  for (const auto& [name, pose] : own) names.push_back(name);
  return names;
}

}  // namespace

std::optional<double> Interpreter::time_of(const Expression& expression, std::string_view what,
                                           Evaluator& evaluator) const {
  const auto number = evaluator.number(expression, what);
  if (!number) return {};
  const double seconds = *number * state_.units.time;
  if (seconds >= 0.0 && seconds <= kLongestTime) return seconds;
  evaluator.refuse(expression.place, fmt::format("{} of {:.6g} s cannot be; it is from 0 to {:.0f} s", what,
                                                 seconds, kLongestTime));
  return {};
}

std::optional<Action> Interpreter::perform(const Statement& s, const AssignStatement& assign) {
  Evaluator values = evaluator();
  auto value = values.value(assign.value);
  if (!value || !set_variable(s.place, assign.name, std::move(*value), values)) return fail(values);
  return {};
}

std::optional<Action> Interpreter::perform(const Statement& s, const EndingStatement& ending) {
  return react(s, ending, std::nullopt);
}

std::optional<Action> Interpreter::perform(const Statement& s, const WaitStatement& wait) {
  Evaluator values = evaluator();
  const auto seconds = time_of(wait.duration, "a WAIT", values);
  if (!seconds) return fail(values);
  return make(s, WaitAction{*seconds});
}

std::optional<Action> Interpreter::perform(const Statement& s, const WaitUntilStatement& wait) {
  Evaluator values = evaluator();
  WaitUntilAction action;
  if (wait.timeout) {
    action.timeout = time_of(*wait.timeout, "the timeout of WAIT", values);
    if (!action.timeout) return fail(values);
  }
  // a condition that cannot be worked out is told at once, not when it is first watched
  if (!values.truth(wait.condition, "the condition of WAIT")) return fail(values);
  return make(s, action);
}

std::optional<Action> Interpreter::perform(const Statement& s, const OutputStatement& output) {
  Evaluator values = evaluator();
  const auto name = values.outside_name(output.output);
  if (!name) return fail(values);
  OutputAction action{.output = *name, .value = output.kind != OutputKind::Reset};
  if (output.value) {
    const auto value = values.value(*output.value);
    if (!value) return fail(values);
    if (const double* number = std::get_if<double>(&*value)) {
      action.value = *number;
    } else if (const bool* truth = std::get_if<bool>(&*value)) {
      action.value = *truth;
    } else {
      return fail(output.value->place, fmt::format("an output takes a truth or a number, and this is {}",
                                                   type_text(type_of(*value))));
    }
  }
  if (output.time) {
    action.pulse = time_of(*output.time, "the time of PULSE", values);
    if (!action.pulse) return fail(values);
  }
  return make(s, std::move(action));
}

std::optional<Action> Interpreter::perform(const Statement& s, const GripperStatement& gripper) {
  Evaluator values = evaluator();
  GripperAction action{.gripper = gripper.gripper.value_or(""), .kind = gripper.kind};
  if (gripper.width) {
    const auto width = values.number(*gripper.width, "the width of GRIPPER");
    if (!width) return fail(values);
    if (*width < 0)
      return fail(gripper.width->place, fmt::format("a GRIPPER cannot be {:.6g} wide; 0 is closed", *width));
    action.width = *width * state_.units.length;
  }
  for (const MoveOption& option : gripper.options) {
    const auto number = values.number(option.value, "an option of GRIPPER");
    if (!number) return fail(values);
    if (option.is_percent || *number <= 0)
      return fail(option.value.place,
                  fmt::format("the option '{}' of GRIPPER must be a number over 0", option.key));
    (option.key == "f" ? action.force : action.speed) =
        option.key == "f" ? *number : *number * state_.units.length / state_.units.time;
  }
  return make(s, std::move(action));
}

std::optional<Action> Interpreter::perform(const Statement& s, const PrintStatement& print) {
  Evaluator values = evaluator();
  std::string text;
  for (const Expression& item : print.items) {
    const auto part = values.text(item);
    if (!part) return fail(values);
    text += *part;
  }
  if (text.size() > kMostTextBytes)
    return fail(s.place,
                fmt::format("the message has {} bytes; {} are the most", text.size(), kMostTextBytes));
  return make(s, MessageAction{std::move(text)});
}

std::optional<FrameChoice> Interpreter::find_tool(const Place& place, const std::string& name,
                                                  Evaluator& evaluator) const {
  if (const auto own = state_.tools.find(name); own != state_.tools.end())
    return FrameChoice{name, own->second};
  if (const auto known = world_.tool(name)) return FrameChoice{name, *known};
  if (is_flange_name(name)) return FrameChoice{"flange", {}};
  const auto names = joined(world_.names(NameKind::Tool).value_or(std::vector<std::string>()), state_.tools);
  evaluator.refuse(place, fmt::format("there is no tool {{{}}}{}", shown(name), did_you_mean(name, names)));
  return {};
}

std::optional<FrameChoice> Interpreter::find_frame(const Place& place, const std::string& name,
                                                   Evaluator& evaluator) const {
  if (const auto own = state_.own_frames.find(name); own != state_.own_frames.end())
    return FrameChoice{name, own->second};
  if (is_base_name(name)) return FrameChoice{"B", {}};
  if (is_user_name(name)) return state_.frame;
  if (const auto known = world_.frame(name)) return FrameChoice{name, *known};
  const auto names =
      joined(world_.names(NameKind::Frame).value_or(std::vector<std::string>()), state_.own_frames);
  evaluator.refuse(place, fmt::format("there is no frame {{{}}}{}", shown(name), did_you_mean(name, names)));
  return {};
}

std::optional<Action> Interpreter::perform(const Statement& /*s*/, const FrameStatement& frame) {
  Evaluator values = evaluator();
  if (frame.value) {
    const auto value = values.value(*frame.value);
    if (!value) return fail(values);
    const Pose* pose = std::get_if<Pose>(&*value);
    if (pose == nullptr)
      return fail(frame.value->place,
                  fmt::format("a {} is a pose, and this is {}", frame.is_tool ? "tool" : "frame",
                              type_text(type_of(*value))));
    (frame.is_tool ? state_.tools : state_.own_frames).insert_or_assign(frame.name, *pose);
  }
  auto choice = frame.is_tool ? find_tool(frame.name_place, frame.name, values)
                              : find_frame(frame.name_place, frame.name, values);
  if (!choice) return fail(values);
  (frame.is_tool ? state_.tool : state_.frame) = std::move(*choice);
  return {};
}

std::optional<Action> Interpreter::perform(const Statement& /*s*/, const UnitsStatement& units) {
  const auto result = units_from(units.units, state_.units);
  if (const auto* finding = std::get_if<Finding>(&result)) return fail(finding->place, finding->text);
  state_.units = std::get<Units>(result);
  return {};
}

std::optional<Action> Interpreter::perform(const Statement& /*s*/, const SpeedStatement& speed) {
  Evaluator values = evaluator();
  const auto number = values.number(speed.value, "a speed");
  if (!number) return fail(values);
  const double most = speed.is_percent ? 100.0 : 1e6;
  if (!(*number > 0 && *number <= most)) {
    return fail(speed.value.place, fmt::format("{:.6g}{} cannot be; it is over 0 and at most {:.0f}", *number,
                                               speed.is_percent ? "%" : "", most));
  }
  const auto set = [&](Rates& rates, double unit) {
    const double value = speed.is_percent ? *number / 100.0 : *number * unit;
    (speed.kind == SpeedKind::Speed ? rates.speed : rates.acceleration) = Rate{value, speed.is_percent};
  };
  const double per_time =
      speed.kind == SpeedKind::Speed ? state_.units.time : state_.units.time * state_.units.time;
  if (speed.scope != SpeedScope::Line) set(state_.joint_rates, state_.units.angle / per_time);
  if (speed.scope != SpeedScope::Joint) set(state_.line_rates, state_.units.length / per_time);
  return {};
}

std::optional<Action> Interpreter::perform(const Statement& /*s*/, const BlendStatement& blend) {
  Evaluator values = evaluator();
  const auto radius = values.number(blend.radius, "a blend radius");
  if (!radius) return fail(values);
  if (*radius < 0)
    return fail(blend.radius.place, fmt::format("a blend radius of {:.6g} cannot be; 0 is none", *radius));
  state_.blend_radius = *radius * state_.units.length;
  return {};
}

std::optional<Action> Interpreter::perform(const Statement& s, const PayloadStatement& payload) {
  Evaluator values = evaluator();
  std::vector<double> numbers;
  for (const Expression& expression : payload.values) {
    const auto number = values.number(expression, "a value of PAYLOAD");
    if (!number) return fail(values);
    numbers.push_back(*number);
  }
  if (numbers.empty() || numbers[0] < 0)
    return fail(s.place, fmt::format("a PAYLOAD of {:.6g} kg cannot be; 0 is none",
                                     numbers.empty() ? 0.0 : numbers[0]));
  PayloadAction action{.mass = numbers[0]};
  if (numbers.size() == 4) action.p_TC = Vector3(numbers[1], numbers[2], numbers[3]) * state_.units.length;
  return make(s, action);
}

std::optional<Action> Interpreter::perform(const Statement& s, const OnStatement& on) {
  const auto known = std::find_if(state_.conditions.begin(), state_.conditions.end(),
                                  [&](const Condition& c) { return c.statement == &s; });
  if (known == state_.conditions.end() && state_.conditions.size() >= kMostConditions)
    return fail(s.place, fmt::format("there are {} ON conditions, which is the most; OFF forgets them",
                                     kMostConditions));
  Evaluator values = evaluator();
  if (!values.truth(on.condition, "the condition of ON")) return fail(values);
  Condition condition{.statement = &s,
                      .setting = {.units = state_.units, .X_FT = state_.tool.pose, .X_BU = state_.frame.pose},
                      .frame = state_.frames.back().number};
  if (known != state_.conditions.end()) {
    condition.number = known->number;
    *known = std::move(condition);
    return {};
  }
  condition.number = state_.next_condition++;
  state_.conditions.push_back(std::move(condition));
  return {};
}

std::optional<Action> Interpreter::perform(const Statement& /*s*/, const OffStatement& /*off*/) {
  state_.conditions.clear();
  return {};
}

}  // namespace sinew::language
