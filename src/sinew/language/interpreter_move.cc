// SPDX-License-Identifier: BSD-3-Clause
// Moves: all seven fields resolved to SI, the base and a tool.
#include <cmath>

#include <fmt/format.h>

#include "sinew/language/interpreter.h"

namespace sinew::language {
namespace {

bool is_cartesian(MotionKind kind) {
  return kind == MotionKind::Line || kind == MotionKind::Circle || kind == MotionKind::ToolDelta;
}

}  // namespace

std::optional<std::string> goal_complaint(const MotionWord& motion, std::size_t count,
                                          std::size_t joint_count) {
  if (takes_joint_numbers(motion)) {
    if (joint_count == 0 || count == joint_count) return {};
    return fmt::format("{} takes {} joint positions, and here are {}", motion_text(motion), joint_count,
                       count);
  }
  const bool is_quaternion = motion.form == GoalForm::Quaternion;
  if (count == (is_quaternion ? 7U : 6U)) return {};
  if (motion.kind == MotionKind::ToolDelta)
    return fmt::format("{} takes 6 numbers, three along and three about the axes, and here are {}",
                       motion_text(motion), count);
  return fmt::format("{} takes {} numbers, x y z {}, and here are {}", motion_text(motion),
                     is_quaternion ? 7 : 6, is_quaternion ? "and a quaternion w x y z" : "roll pitch yaw",
                     count);
}

std::optional<Action> Interpreter::perform(const Statement& s, const MoveStatement& move) {
  Evaluator modal = evaluator();
  MoveAction action{
      .kind = move.motion.kind, .through = move.motion.through, .tool = state_.tool, .frame = state_.frame};
  Units units = state_.units;
  if (move.units) {
    const auto result = units_from(*move.units, units);
    if (const auto* finding = std::get_if<Finding>(&result)) return fail(finding->place, finding->text);
    units = std::get<Units>(result);
  }
  // of a move between joint positions these fields mean nothing, as in YARC's listing 4
  if (move.tool && !takes_joint_numbers(move.motion)) {
    auto tool =
        is_tool_name(*move.tool) ? std::optional(state_.tool) : find_tool(move.tool_place, *move.tool, modal);
    if (!tool) return fail(modal);
    action.tool = std::move(*tool);
  }
  const bool is_in_tool_axes =
      move.frame && move.motion.kind == MotionKind::ToolDelta && is_tool_name(*move.frame);
  if (move.frame && !takes_joint_numbers(move.motion) && !is_in_tool_axes) {
    auto frame = find_frame(move.frame_place, *move.frame, modal);
    if (!frame) return fail(modal);
    action.frame = std::move(*frame);
  }
  // in a goal, HERE() is the place of the line's own tool in the line's own frame
  Evaluator values = evaluator_with(units, action.tool.pose, action.frame.pose);
  if (!fill_goals(move, values, action)) return fail(values);
  if (move.motion.kind == MotionKind::ToolDelta) action.displacement.is_in_tool_axes = is_in_tool_axes;
  if (!fill_timing(move, values, action)) return fail(values);
  action.timing.law = move.motion.law;
  action.has_until = move.until.has_value();
  if (move.until && !values.truth(*move.until, "the condition of UNTIL")) return fail(values);
  return make(s, std::move(action));
}

bool Interpreter::fill_goals(const MoveStatement& move, Evaluator& evaluator, MoveAction& action) {
  for (const GoalValues& goal_values : move.goals) {
    auto goal = goal_of(move, goal_values, evaluator, action.frame.pose);
    if (!goal) return false;
    if (move.motion.kind != MotionKind::ToolDelta) {
      action.goals.push_back(std::move(*goal));
      continue;
    }
    // six numbers: along and about the axes
    const auto& numbers = std::get<JointValues>(*goal).q;
    action.displacement.translation = {numbers[0], numbers[1], numbers[2]};
    action.displacement.rotation = {numbers[3], numbers[4], numbers[5]};
    action.displacement.R_BA = action.frame.pose.rotation;
  }
  return true;
}

std::optional<MoveGoal> Interpreter::goal_of(const MoveStatement& move, const GoalValues& goal_values,
                                             Evaluator& evaluator, const Pose& X_BU) {
  const MotionWord& motion = move.motion;
  const Place& place = goal_values[0].place;
  std::vector<double> numbers;
  for (const Expression& expression : goal_values) {
    const auto value = evaluator.value(expression);
    if (!value) return {};
    const bool is_whole_goal = goal_values.size() == 1 && !std::holds_alternative<double>(*value);
    const bool is_delta = motion.kind == MotionKind::JointDelta || motion.kind == MotionKind::ToolDelta;
    const auto* joints = std::get_if<JointValues>(&*value);
    if (is_whole_goal && !is_delta && std::holds_alternative<Pose>(*value))
      return PoseGoal{X_BU * std::get<Pose>(*value)};
    if (is_whole_goal && joints != nullptr && takes_joint_numbers(motion)) {
      if (const auto complaint = goal_complaint(motion, joints->q.size(), world_.joint_count())) {
        evaluator.refuse(place, *complaint);
        return {};
      }
      return *joints;
    }
    if (!std::holds_alternative<double>(*value)) {
      evaluator.refuse(
          expression.place,
          fmt::format("{} cannot be {} here; {}", type_text(type_of(*value)),
                      goal_values.size() == 1 ? "the goal" : "one of several values",
                      joints != nullptr && goal_values.size() == 1 ? "use MOVEJ, or a pose" : "numbers can"));
      return {};
    }
    numbers.push_back(std::get<double>(*value));
  }
  if (const auto complaint = goal_complaint(motion, numbers.size(), world_.joint_count())) {
    evaluator.refuse(place, *complaint);
    return {};
  }
  const Units& units = evaluator.units();
  if (takes_joint_numbers(motion) || motion.kind == MotionKind::ToolDelta) {
    JointValues joints;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const bool is_angle = motion.kind == MotionKind::ToolDelta ? i >= 3 : world_.is_revolute(i);
      joints.q.push_back(numbers[i] * (is_angle ? units.angle : units.length));
    }
    return joints;
  }
  if (const auto pose = pose_of_numbers(numbers, units)) return PoseGoal{X_BU * *pose};
  const double length = motion.form == GoalForm::Quaternion
                            ? Quaternion(numbers[3], numbers[4], numbers[5], numbers[6]).norm()
                            : 1.0;
  evaluator.refuse(
      place, fmt::format("the goal is no pose; its quaternion w x y z has length {:.6g}, not 1", length));
  return {};
}

bool Interpreter::fill_timing(const MoveStatement& move, Evaluator& evaluator, MoveAction& action) {
  const Rates& rates = is_cartesian(move.motion.kind) ? state_.line_rates : state_.joint_rates;
  action.timing.speed = rates.speed;
  action.timing.acceleration = rates.acceleration;
  action.timing.blend_radius = state_.blend_radius;
  bool has_speed = false;
  for (const MoveOption& option : move.options) {
    if (!fill_option(option, evaluator, action)) return false;
    has_speed = has_speed || option.key == "v";
  }
  if (!action.timing.duration) return true;
  if (has_speed) {
    evaluator.refuse(move.options[0].value.place, "a move has a time or a speed, not both; take one out");
    return false;
  }
  // a time in the line overrules the speed that was set before
  action.timing.speed.reset();
  return true;
}

bool Interpreter::fill_option(const MoveOption& option, Evaluator& evaluator, MoveAction& action) const {
  const auto number =
      evaluator.number(option.value, fmt::format("the option '{}'", option.key.empty() ? "t" : option.key));
  if (!number) return false;
  const double most = option.is_percent ? 100.0 : 1e6;
  const bool may_be_zero = option.key == "r";
  const bool is_right = (may_be_zero           ? *number >= 0
                         : option.key == "arc" ? *number != 0.0
                                               : *number > 0) &&
                        *number <= most;
  if (!is_right) {
    evaluator.refuse(option.value.place,
                     fmt::format("{}={:.6g}{} cannot be; it is {} and at most {:.0f}",
                                 option.key.empty() ? "t" : option.key, *number, option.is_percent ? "%" : "",
                                 may_be_zero ? "0 or more" : "over 0", most));
    return false;
  }
  const Units& units = evaluator.units();
  const double way = is_cartesian(action.kind) ? units.length : units.angle;
  MoveTiming& timing = action.timing;
  if (option.key.empty() || option.key == "t") timing.duration = *number * units.time;
  if (option.key == "r") timing.blend_radius = *number * units.length;
  if (option.key == "j") timing.jerk = *number * way / (units.time * units.time * units.time);
  if (option.key == "arc") action.arc = *number * units.angle;
  if (option.key != "v" && option.key != "a") return true;
  const double unit = option.key == "v" ? way / units.time : way / (units.time * units.time);
  const Rate rate{option.is_percent ? *number / 100.0 : *number * unit, option.is_percent};
  (option.key == "v" ? timing.speed : timing.acceleration) = rate;
  return true;
}

}  // namespace sinew::language
