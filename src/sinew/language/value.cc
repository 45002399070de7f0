// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/language/value.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sinew::language {
namespace {

struct UnitRow {
  std::string_view name;
  double Units::*part;
  double factor;
};
constexpr std::array kUnits{UnitRow{"mm", &Units::length, 1e-3},
                            UnitRow{"cm", &Units::length, 1e-2},
                            UnitRow{"m", &Units::length, 1.0},
                            UnitRow{"inch", &Units::length, 0.0254},
                            UnitRow{"deg", &Units::angle, std::numbers::pi / 180.0},
                            UnitRow{"rad", &Units::angle, 1.0},
                            UnitRow{"s", &Units::time, 1.0},
                            UnitRow{"ms", &Units::time, 1e-3}};

constexpr std::array kSignatures{
    Signature{"POSE", "nnnnnn", "", Type::Pose},   Signature{"QUAT", "nnnnnnn", "", Type::Pose},
    Signature{"JOINTS", "n", "…", Type::Joints},   Signature{"PALLET", "pppnn", "nn", Type::Pallet},
    Signature{"AT", "ln", "nn", Type::Pose},       Signature{"COUNT", "l", "", Type::Number},
    Signature{"OFFSET", "pnnn", "", Type::Pose},   Signature{"TOOLOFFSET", "pnnn", "", Type::Pose},
    Signature{"INVERSE", "p", "", Type::Pose},     Signature{"HERE", "", "", Type::Pose},
    Signature{"HEREJ", "", "", Type::Joints},      Signature{"HOLDS", "", "", Type::Truth},
    Signature{"WHERE", "t", "n", Type::Pose},      Signature{"ANGLE", "jn", "", Type::Number},
    Signature{"DISTANCE", "pp", "", Type::Number}, Signature{"ABS", "n", "", Type::Number},
    Signature{"SQRT", "n", "", Type::Number},      Signature{"SIN", "n", "", Type::Number},
    Signature{"COS", "n", "", Type::Number},       Signature{"TAN", "n", "", Type::Number},
    Signature{"ASIN", "n", "", Type::Number},      Signature{"ACOS", "n", "", Type::Number},
    Signature{"ATAN2", "nn", "", Type::Number},    Signature{"MIN", "nn", "", Type::Number},
    Signature{"MAX", "nn", "", Type::Number},      Signature{"ROUND", "n", "", Type::Number},
    Signature{"FLOOR", "n", "", Type::Number},     Signature{"CEIL", "n", "", Type::Number}};

constexpr std::string_view kRepeat = "…";

Type type_of_letter(char letter) {
  switch (letter) {
    case 'p':
      return Type::Pose;
    case 'j':
      return Type::Joints;
    case 'l':
      return Type::Pallet;
    case 't':
      return Type::Text;
    default:
      return Type::Number;
  }
}

bool may_be(Type type, Type wanted) {
  return type == Type::Unknown || type == wanted;
}

std::string wanted_count(const Signature& signature) {
  const std::size_t least = signature.least.size();
  if (signature.more == kRepeat) return fmt::format("{} or more arguments", least);
  if (!signature.more.empty()) return fmt::format("{} to {} arguments", least, least + signature.more.size());
  return least == 0 ? "no argument" : fmt::format("{} argument{}", least, least == 1 ? "" : "s");
}

}  // namespace

Type type_of(const Value& value) {
  return static_cast<Type>(value.index());
}

std::string_view type_text(Type type) {
  constexpr std::array<std::string_view, 7> kTexts{"a number",        "a truth",  "a text", "a pose",
                                                   "joint positions", "a pallet", "unknown"};
  return kTexts[static_cast<std::size_t>(type)];
}

std::variant<Units, Finding> units_from(const UnitsField& field, Units units) {
  std::vector<double Units::*> seen;
  for (const std::string& name : field.units) {
    for (const UnitRow& row : kUnits) {
      if (row.name != name) continue;
      if (std::find(seen.begin(), seen.end(), row.part) != seen.end()) {
        return Finding{
            Severity::Error, field.place,
            fmt::format("the units ({}) say the same thing twice; give one length, one angle and one time",
                        fmt::join(field.units, ","))};
      }
      seen.push_back(row.part);
      units.*row.part = row.factor;
    }
  }
  return units;
}

std::string value_text(const Value& value, const Units& units,
                       const std::function<bool(std::size_t)>& is_revolute) {
  const auto numbers = [](const std::vector<double>& list) {
    std::string text;
    // what is left of rounding, and the sign of zero, are not for people
    for (const double number : list)
      text += fmt::format("{}{:.6g}", text.empty() ? "" : " ", std::abs(number) < 1e-12 ? 0.0 : number);
    return text;
  };
  switch (type_of(value)) {
    case Type::Number:
      return fmt::format("{:.10g}", std::get<double>(value) + 0.0);
    case Type::Truth:
      return std::get<bool>(value) ? "TRUE" : "FALSE";
    case Type::Text:
      return std::get<std::string>(value);
    case Type::Pose: {
      const Pose& pose = std::get<Pose>(value);
      const RollPitchYaw rpy = roll_pitch_yaw(pose.rotation);
      const Vector3 p = pose.position / units.length;
      return numbers(
          {p.x(), p.y(), p.z(), rpy.roll / units.angle, rpy.pitch / units.angle, rpy.yaw / units.angle});
    }
    case Type::Joints: {
      std::vector<double> q = std::get<JointValues>(value).q;
      for (std::size_t i = 0; i < q.size(); ++i)
        q[i] /= !is_revolute || is_revolute(i) ? units.angle : units.length;
      return numbers(q);
    }
    case Type::Pallet:
    case Type::Unknown:
      break;
  }
  return fmt::format("pallet of {} places", std::get<Pallet>(value).count());
}

std::optional<Type> unary_type(std::string_view op, Type operand) {
  const Type wanted = op == "NOT" ? Type::Truth : Type::Number;
  return may_be(operand, wanted) ? std::optional(wanted) : std::nullopt;
}

std::optional<Type> binary_type(std::string_view op, Type left, Type right) {
  const auto both = [&](Type wanted) { return may_be(left, wanted) && may_be(right, wanted); };
  const bool is_unknown = left == Type::Unknown && right == Type::Unknown;
  if (op == "AND" || op == "OR") return both(Type::Truth) ? std::optional(Type::Truth) : std::nullopt;
  if (op == "==" || op == "!=") {
    const bool is_comparable = both(Type::Number) || both(Type::Truth) || both(Type::Text);
    return is_comparable ? std::optional(Type::Truth) : std::nullopt;
  }
  if (op == "<" || op == "<=" || op == ">" || op == ">=")
    return both(Type::Number) ? std::optional(Type::Truth) : std::nullopt;
  if (is_unknown && (op == "+" || op == "*")) return Type::Unknown;
  if (op == "+" && both(Type::Text)) return Type::Text;
  if (op == "*" && both(Type::Pose)) return Type::Pose;
  return both(Type::Number) ? std::optional(Type::Number) : std::nullopt;
}

const Signature* find_signature(std::string_view name) {
  const auto found = std::find_if(kSignatures.begin(), kSignatures.end(),
                                  [&](const Signature& s) { return s.name == name; });
  return found == kSignatures.end() ? nullptr : &*found;
}

std::optional<std::string> call_complaint(const Signature& signature, const std::vector<Type>& arguments) {
  const std::string letters =
      std::string(signature.least).append(signature.more == kRepeat ? "" : signature.more);
  const bool is_too_many = signature.more != kRepeat && arguments.size() > letters.size();
  if (arguments.size() < signature.least.size() || is_too_many)
    return fmt::format("{} takes {}, and here are {}", signature.name, wanted_count(signature),
                       arguments.size());
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Type wanted = i < letters.size() ? type_of_letter(letters[i]) : Type::Number;
    if (!may_be(arguments[i], wanted)) {
      return fmt::format("argument {} of {} must be {}, and is {}", i + 1, signature.name, type_text(wanted),
                         type_text(arguments[i]));
    }
  }
  return {};
}

}  // namespace sinew::language
