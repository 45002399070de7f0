// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sinew/language/syntax.h"
#include "sinew/spatial/pose.h"

namespace sinew::language {

/// The longest text that a running program may make.
inline constexpr std::size_t kMostTextBytes = 4096;

/// Joint positions [rad, m].
struct JointValues {
  std::vector<double> q;
};

/// Places in rows, columns and layers, all with the corner's orientation.
struct Pallet {
  Pose corner;
  Vector3 column_step = Vector3::Zero();  ///< From a place to the next of its row [m].
  Vector3 row_step = Vector3::Zero();     ///< From a row to the next [m].
  Vector3 layer_step = Vector3::Zero();   ///< From a layer to the next [m].
  int columns = 1;
  int rows = 1;
  int layers = 1;

  int count() const { return columns * rows * layers; }
};

/// What an expression comes to. All SI.
using Value = std::variant<double, bool, std::string, Pose, JointValues, Pallet>;

/// The kinds of values, and what is not known before the program runs.
enum class Type { Number, Truth, Text, Pose, Joints, Pallet, Unknown };

Type type_of(const Value& value);

/// "a number", "joint positions", …
std::string_view type_text(Type type);

/// How many SI units one unit of the program is.
struct Units {
  double length = 1e-3;                     ///< [m]
  double angle = std::numbers::pi / 180.0;  ///< [rad]
  double time = 1.0;                        ///< [s]
};

/// `units` with those of the field put in; or what is wrong with the field.
std::variant<Units, Finding> units_from(const UnitsField& field, Units units);

/// For messages to people, in the program's units.
/// `is_revolute` says which joints turn; without it all do.
std::string value_text(const Value& value, const Units& units,
                       const std::function<bool(std::size_t)>& is_revolute = {});

/// The type that an operator gives; nothing when it cannot work on these. An unknown type passes.
std::optional<Type> unary_type(std::string_view op, Type operand);
std::optional<Type> binary_type(std::string_view op, Type left, Type right);

/// A function of the language: how it is called and what it gives.
struct Signature {
  std::string_view name;
  std::string_view least;  ///< One letter per argument: n number, p pose, j joints, l pallet.
  std::string_view more;   ///< Arguments that may follow, in order; "…" repeats n.
  Type result = Type::Number;
};
const Signature* find_signature(std::string_view name);

/// What is wrong with calling `signature` with these types; nothing when it may be.
std::optional<std::string> call_complaint(const Signature& signature, const std::vector<Type>& arguments);

}  // namespace sinew::language
