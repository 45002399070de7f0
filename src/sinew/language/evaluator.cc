// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/language/evaluator.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sinew/base/text.h"

namespace sinew::language {

void Evaluator::refuse(const Place& place, std::string text) {
  if (has_fault_) return;
  has_fault_ = true;
  fault_ = {Severity::Error, place, std::move(text)};
}

std::optional<Value> Evaluator::value(const Expression& e) {
  switch (e.kind) {
    case ExpressionKind::Number:
      return e.number;
    case ExpressionKind::Text:
    case ExpressionKind::Name:
      return e.text;
    case ExpressionKind::Constant:
      return e.text == "PI" ? Value(std::numbers::pi) : Value(e.text == "TRUE");
    case ExpressionKind::Group:
      return value(e.operands[0]);
    case ExpressionKind::Variable:
      return variable(e);
    case ExpressionKind::Part:
      return part(e);
    case ExpressionKind::Source:
      return source(e);
    case ExpressionKind::Call:
      return call(e);
    case ExpressionKind::Unary:
      return unary(e);
    case ExpressionKind::Binary:
      break;
  }
  return binary(e);
}

std::optional<double> Evaluator::number(const Expression& e, std::string_view what) {
  const auto result = value(e);
  if (!result) return {};
  if (const double* number = std::get_if<double>(&*result)) return *number;
  refuse(e.place, fmt::format("{} must be a number, and is {}", what, type_text(type_of(*result))));
  return {};
}

std::optional<bool> Evaluator::truth(const Expression& e, std::string_view what) {
  const auto result = value(e);
  if (!result) return {};
  if (const bool* truth = std::get_if<bool>(&*result)) return *truth;
  refuse(e.place,
         fmt::format("{} must be a truth, such as a > 1, and is {}", what, type_text(type_of(*result))));
  return {};
}

std::optional<std::string> Evaluator::text(const Expression& e) {
  const auto result = value(e);
  if (!result) return {};
  return value_text(*result, setting_.units, [this](std::size_t joint) { return world_.is_revolute(joint); })
      .substr(0, kMostTextBytes);
}

std::optional<std::string> Evaluator::outside_name(const Expression& e) {
  if (e.kind == ExpressionKind::Name) return e.text;
  const auto index = number(e, "the number of an input or output");
  if (!index) return {};
  constexpr double kMostIndex = 65535;
  if (*index >= 0 && *index <= kMostIndex && *index == std::floor(*index))
    return fmt::format("{:.0f}", *index);
  refuse(e.place, fmt::format("{:.6g} cannot be the number of an input or output; 0 to 65535 can", *index));
  return {};
}

std::optional<Value> Evaluator::variable(const Expression& e) {
  const Value* found = lookup_(e.text);
  if (found != nullptr) return *found;
  refuse(e.place, fmt::format("'{}' has no value yet; give it one before, as in {} = 1", e.text, e.text));
  return {};
}

std::optional<Value> Evaluator::part(const Expression& e) {
  const auto whole = value(e.operands[0]);
  if (!whole) return {};
  const Pose* pose = std::get_if<Pose>(&*whole);
  if (pose == nullptr) {
    refuse(e.place,
           fmt::format("only a pose has a part .{}, and this is {}", e.text, type_text(type_of(*whole))));
    return {};
  }
  const RollPitchYaw rpy = roll_pitch_yaw(pose->rotation);
  if (e.text == "x") return pose->position.x() / setting_.units.length;
  if (e.text == "y") return pose->position.y() / setting_.units.length;
  if (e.text == "z") return pose->position.z() / setting_.units.length;
  const double angle = e.text == "roll" ? rpy.roll : e.text == "pitch" ? rpy.pitch : rpy.yaw;
  return angle / setting_.units.angle;
}

std::optional<Value> Evaluator::source(const Expression& e) {
  if (e.text == "POINT") return point(e);
  const auto name = outside_name(e.operands[0]);
  if (!name) return {};
  look_outside();
  if (e.text == "IN") {
    if (const auto on = world_.input(*name)) return *on;
  } else if (const auto reading = world_.analog_input(*name)) {
    if (std::isfinite(*reading)) return *reading;
  }
  refuse(e.place, fmt::format("the input {{{}}} cannot be read", shown(*name)));
  return {};
}

std::optional<Value> Evaluator::point(const Expression& e) {
  const std::string& name = e.operands[0].text;
  const auto found = world_.point(name);
  if (!found) {
    refuse(
        e.place,
        fmt::format("there is no point {{{}}}{}", shown(name),
                    did_you_mean(name, world_.names(NameKind::Point).value_or(std::vector<std::string>()))));
    return {};
  }
  return std::holds_alternative<Pose>(*found) ? Value(std::get<Pose>(*found))
                                              : Value(std::get<JointValues>(*found));
}

std::optional<Value> Evaluator::unary(const Expression& e) {
  const auto operand = value(e.operands[0]);
  if (!operand) return {};
  if (!unary_type(e.text, type_of(*operand))) {
    refuse(e.place, fmt::format("{} cannot work on {}", e.text, type_text(type_of(*operand))));
    return {};
  }
  if (e.text == "NOT") return !std::get<bool>(*operand);
  return e.text == "-" ? -std::get<double>(*operand) : std::get<double>(*operand);
}

std::optional<Value> Evaluator::binary(const Expression& e) {
  const auto left = value(e.operands[0]);
  if (!left) return {};
  // what decides already need not be worked out
  if (const bool* first = std::get_if<bool>(&*left)) {
    if (e.text == "AND" && !*first) return false;
    if (e.text == "OR" && *first) return true;
  }
  const auto right = value(e.operands[1]);
  if (!right) return {};
  if (!binary_type(e.text, type_of(*left), type_of(*right))) {
    refuse(e.place, fmt::format("{} cannot work on {} and {}", e.text, type_text(type_of(*left)),
                                type_text(type_of(*right))));
    return {};
  }
  if (e.text == "AND" || e.text == "OR") return std::get<bool>(*right);
  if (const auto* text = std::get_if<std::string>(&*left)) {
    const auto& other = std::get<std::string>(*right);
    if (e.text == "==" || e.text == "!=") return (*text == other) == (e.text == "==");
    if (text->size() + other.size() <= kMostTextBytes) return *text + other;
    refuse(e.place, fmt::format("the text would be longer than {} bytes", kMostTextBytes));
    return {};
  }
  if (const bool* truth = std::get_if<bool>(&*left))
    return (*truth == std::get<bool>(*right)) == (e.text == "==");
  if (const Pose* pose = std::get_if<Pose>(&*left)) {
    Pose product = *pose * std::get<Pose>(*right);
    product.rotation.normalize();
    return product;
  }
  return arithmetic(e, std::get<double>(*left), std::get<double>(*right));
}

std::optional<Value> Evaluator::arithmetic(const Expression& e, double left, double right) {
  if (e.text == "==") return left == right;
  if (e.text == "!=") return left != right;
  if (e.text == "<") return left < right;
  if (e.text == "<=") return left <= right;
  if (e.text == ">") return left > right;
  if (e.text == ">=") return left >= right;
  if (e.text == "+") return finite(e, left + right);
  if (e.text == "-") return finite(e, left - right);
  if (e.text == "*") return finite(e, left * right);
  if (e.text == "^") return finite(e, std::pow(left, right));
  if (right == 0.0) {
    refuse(e.place, fmt::format("{:.6g} {} 0 has no value", left, e.text));
    return {};
  }
  // the rest has the sign of the divisor, so that it counts round
  return finite(e, e.text == "/" ? left / right : left - right * std::floor(left / right));
}

std::optional<Value> Evaluator::finite(const Expression& e, double number) {
  if (std::isfinite(number)) return number;
  refuse(e.place, fmt::format("the result of {} is too large or has no value", e.text));
  return {};
}

}  // namespace sinew::language
