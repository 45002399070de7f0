// SPDX-License-Identifier: BSD-3-Clause
// The functions of the language.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sinew/language/evaluator.h"

namespace sinew::language {
namespace {

// a whole number of things, few enough to be counted
std::optional<int> whole(const Value& value, int most) {
  const double number = std::get<double>(value);
  if (number < 1 || number > most || number != std::floor(number)) return {};
  return static_cast<int>(number);
}

}  // namespace

std::optional<Pose> pose_of_numbers(const std::vector<double>& n, const Units& units) {
  Pose pose{.position = Vector3(n[0], n[1], n[2]) * units.length};
  if (!pose.position.allFinite()) return {};
  if (n.size() == 6) {
    pose.rotation = quaternion_from({n[3] * units.angle, n[4] * units.angle, n[5] * units.angle});
    return pose.rotation.coeffs().allFinite() ? std::optional(pose) : std::nullopt;
  }
  pose.rotation = Quaternion(n[3], n[4], n[5], n[6]);
  constexpr double kSlack = 1e-3;
  if (!(std::abs(pose.rotation.norm() - 1.0) < kSlack)) return {};
  pose.rotation.normalize();
  return pose;
}

std::optional<Value> Evaluator::call(const Expression& e) {
  std::vector<Value> arguments;
  std::vector<Type> types;
  for (const Expression& operand : e.operands) {
    auto argument = value(operand);
    if (!argument) return {};
    types.push_back(type_of(*argument));
    arguments.push_back(std::move(*argument));
  }
  const Signature* signature = find_signature(e.text);
  if (signature == nullptr) {
    refuse(e.place, fmt::format("there is no function {}", e.text));
    return {};
  }
  if (auto complaint = call_complaint(*signature, types)) {
    refuse(e.place, std::move(*complaint));
    return {};
  }
  return apply(e, arguments);
}

std::optional<Value> Evaluator::apply(const Expression& e, const std::vector<Value>& arguments) {
  const bool is_numeric = std::all_of(arguments.begin(), arguments.end(),
                                      [](const Value& v) { return std::holds_alternative<double>(v); });
  if (!is_numeric) return apply_to_poses(e, arguments);
  std::vector<double> numbers;
  for (const Value& argument : arguments) numbers.push_back(std::get<double>(argument));
  if (e.text == "POSE" || e.text == "QUAT") return pose_from(e, numbers);
  if (e.text == "JOINTS") return joints_from(numbers);
  if (e.text != "HERE" && e.text != "HEREJ" && e.text != "HOLDS") return apply_to_numbers(e, numbers);
  look_outside();
  if (e.text == "HOLDS") {
    if (const auto holds = world_.holds()) return *holds;
    refuse(e.place, "what the gripper holds is not known");
    return {};
  }
  if (e.text == "HERE") {
    if (const auto X_BF = world_.flange_now()) return inverse(setting_.X_BU) * *X_BF * setting_.X_FT;
  } else if (auto q = world_.joints_now()) {
    return JointValues{std::move(*q)};
  }
  refuse(e.place, "where the robot is is not known");
  return {};
}

std::optional<Value> Evaluator::pose_from(const Expression& e, const std::vector<double>& n) {
  if (const auto pose = pose_of_numbers(n, setting_.units)) return *pose;
  if (e.text == "QUAT") {
    refuse(e.place, fmt::format("the quaternion {:.6g} {:.6g} {:.6g} {:.6g} has length {:.6g}, not 1", n[3],
                                n[4], n[5], n[6], Quaternion(n[3], n[4], n[5], n[6]).norm()));
  } else {
    refuse(e.place, "the pose is too far away to be a number");
  }
  return {};
}

std::optional<Value> Evaluator::joints_from(const std::vector<double>& n) {
  JointValues joints;
  for (std::size_t i = 0; i < n.size(); ++i)
    joints.q.push_back(n[i] * (world_.is_revolute(i) ? setting_.units.angle : setting_.units.length));
  return joints;
}

std::optional<Value> Evaluator::apply_to_numbers(const Expression& e, const std::vector<double>& n) {
  const double angle = setting_.units.angle;
  if (e.text == "ABS") return std::abs(n[0]);
  if (e.text == "SIN") return finite(e, std::sin(n[0] * angle));
  if (e.text == "COS") return finite(e, std::cos(n[0] * angle));
  if (e.text == "TAN") return finite(e, std::tan(n[0] * angle));
  if (e.text == "ATAN2") return std::atan2(n[0], n[1]) / angle;
  if (e.text == "MIN") return std::min(n[0], n[1]);
  if (e.text == "MAX") return std::max(n[0], n[1]);
  if (e.text == "ROUND") return std::round(n[0]);
  if (e.text == "FLOOR") return std::floor(n[0]);
  if (e.text == "CEIL") return std::ceil(n[0]);
  const bool is_root = e.text == "SQRT";
  const bool has_value = is_root ? n[0] >= 0 : std::abs(n[0]) <= 1;
  if (!has_value) {
    refuse(e.place, fmt::format("{}({:.6g}) has no value; it takes {}", e.text, n[0],
                                is_root ? "what is not negative" : "-1 to 1"));
    return {};
  }
  if (is_root) return std::sqrt(n[0]);
  return (e.text == "ASIN" ? std::asin(n[0]) : std::acos(n[0])) / angle;
}

std::optional<Value> Evaluator::apply_to_poses(const Expression& e, const std::vector<Value>& arguments) {
  if (e.text == "PALLET") return pallet_from(e, arguments);
  if (e.text == "AT") return place_of(e, arguments);
  if (e.text == "WHERE") return object_place(e, arguments);
  if (e.text == "COUNT") return static_cast<double>(std::get<Pallet>(arguments[0]).count());
  if (e.text == "ANGLE") {
    const auto& q = std::get<JointValues>(arguments[0]).q;
    const auto i = whole(arguments[1], static_cast<int>(q.size()));
    if (!i) {
      refuse(e.place, fmt::format("there is no joint {:.6g}; there are 1 to {}",
                                  std::get<double>(arguments[1]), q.size()));
      return {};
    }
    const auto joint = static_cast<std::size_t>(*i) - 1;
    return q[joint] / (world_.is_revolute(joint) ? setting_.units.angle : setting_.units.length);
  }
  Pose pose = std::get<Pose>(arguments[0]);
  if (e.text == "INVERSE") return inverse(pose);
  if (e.text == "DISTANCE")
    return distance(pose, std::get<Pose>(arguments[1])).position / setting_.units.length;
  const Vector3 offset = Vector3(std::get<double>(arguments[1]), std::get<double>(arguments[2]),
                                 std::get<double>(arguments[3])) *
                         setting_.units.length;
  pose.position += e.text == "OFFSET" ? offset : pose.rotation * offset;
  if (pose.position.allFinite()) return pose;
  refuse(e.place, "the pose is too far away to be a number");
  return {};
}

// WHERE("disc_", 3) is of disc_3
std::optional<Value> Evaluator::object_place(const Expression& e, const std::vector<Value>& arguments) {
  std::string name = std::get<std::string>(arguments[0]);
  if (arguments.size() > 1) name += value_text(arguments[1], setting_.units);
  look_outside();
  const auto X_BO = world_.object(name);
  if (X_BO) return inverse(setting_.X_BU) * *X_BO;
  refuse(e.place, X_BO.error().message);
  return {};
}

// corner, end of the row, end of the column, columns, rows, perhaps layers and their height
std::optional<Value> Evaluator::pallet_from(const Expression& e, const std::vector<Value>& arguments) {
  constexpr int kMostCount = 1000;
  const auto columns = whole(arguments[3], kMostCount);
  const auto rows = whole(arguments[4], kMostCount);
  const auto layers = arguments.size() > 5 ? whole(arguments[5], kMostCount) : std::optional(1);
  if (!columns || !rows || !layers) {
    refuse(e.place,
           fmt::format("columns, rows and layers of a PALLET are whole numbers from 1 to {}", kMostCount));
    return {};
  }
  if (arguments.size() == 6) {
    refuse(e.place, "a PALLET with layers needs their height as well");
    return {};
  }
  Pallet pallet{
      .corner = std::get<Pose>(arguments[0]), .columns = *columns, .rows = *rows, .layers = *layers};
  const auto step = [&](const Value& end, int count) -> Vector3 {
    if (count == 1) return Vector3::Zero();
    return (std::get<Pose>(end).position - pallet.corner.position) / (count - 1);
  };
  pallet.column_step = step(arguments[1], *columns);
  pallet.row_step = step(arguments[2], *rows);
  if (arguments.size() > 6)
    pallet.layer_step = Vector3::UnitZ() * std::get<double>(arguments[6]) * setting_.units.length;
  return pallet;
}

// by number, row after row and layer after layer, or by column, row, layer
std::optional<Value> Evaluator::place_of(const Expression& e, const std::vector<Value>& arguments) {
  const Pallet& pallet = std::get<Pallet>(arguments[0]);
  int column = 0;
  int row = 0;
  int layer = 0;
  if (arguments.size() == 2) {
    const auto number = whole(arguments[1], pallet.count());
    if (!number) {
      refuse(e.place, fmt::format("the pallet has no place {:.6g}; it has 1 to {}",
                                  std::get<double>(arguments[1]), pallet.count()));
      return {};
    }
    column = (*number - 1) % pallet.columns;
    row = (*number - 1) / pallet.columns % pallet.rows;
    layer = (*number - 1) / pallet.columns / pallet.rows;
  } else {
    const auto c = whole(arguments[1], pallet.columns);
    const auto r = whole(arguments[2], pallet.rows);
    const auto l = arguments.size() > 3 ? whole(arguments[3], pallet.layers) : std::optional(1);
    if (!c || !r || !l) {
      refuse(e.place,
             fmt::format("the pallet has no such place; columns are 1 to {}, rows 1 to {}, layers 1 to {}",
                         pallet.columns, pallet.rows, pallet.layers));
      return {};
    }
    column = *c - 1;
    row = *r - 1;
    layer = *l - 1;
  }
  Pose pose = pallet.corner;
  pose.position += column * pallet.column_step + row * pallet.row_step + layer * pallet.layer_step;
  return pose;
}

}  // namespace sinew::language
