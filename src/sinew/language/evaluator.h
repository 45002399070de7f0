// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "sinew/language/syntax.h"
#include "sinew/language/value.h"
#include "sinew/language/world.h"

namespace sinew::language {

/// Finds a variable; null when it has no value yet.
using VariableLookup = std::function<const Value*(const std::string& name)>;

/// Works out expressions. Keeps the first thing that went wrong; never gives a number that is not finite.
class Evaluator {
 public:
  struct Setting {
    Units units;
    Pose X_FT;  ///< The tool that HERE() means.
    Pose X_BU;  ///< The frame that HERE() is given in.
    /// Set when something is asked that may change while the program runs: an input, or where the robot is.
    bool* has_looked_outside = nullptr;
  };

  /// `world` must outlive this object.
  Evaluator(const ProgramWorld& world, const Setting& setting, VariableLookup lookup)
      : world_(world), setting_(setting), lookup_(std::move(lookup)) {}

  std::optional<Value> value(const Expression& expression);
  std::optional<double> number(const Expression& expression, std::string_view what);
  std::optional<bool> truth(const Expression& expression, std::string_view what);
  std::optional<std::string> text(const Expression& expression);
  /// The name of an input or output: {name}, or its number in digits.
  std::optional<std::string> outside_name(const Expression& expression);

  const Units& units() const { return setting_.units; }
  /// What went wrong, after a value was refused.
  const Finding& fault() const { return fault_; }
  /// Remembers that something is wrong at a place.
  void refuse(const Place& place, std::string text);

 private:
  void look_outside() {
    if (setting_.has_looked_outside != nullptr) *setting_.has_looked_outside = true;
  }
  std::optional<Value> variable(const Expression& e);
  std::optional<Value> part(const Expression& e);
  std::optional<Value> source(const Expression& e);
  std::optional<Value> point(const Expression& e);
  std::optional<Value> unary(const Expression& e);
  std::optional<Value> binary(const Expression& e);
  std::optional<Value> arithmetic(const Expression& e, double left, double right);
  std::optional<Value> call(const Expression& e);
  std::optional<Value> apply(const Expression& e, const std::vector<Value>& arguments);
  std::optional<Value> apply_to_poses(const Expression& e, const std::vector<Value>& arguments);
  std::optional<Value> apply_to_numbers(const Expression& e, const std::vector<double>& n);
  std::optional<Value> pose_from(const Expression& e, const std::vector<double>& n);
  std::optional<Value> joints_from(const std::vector<double>& n);
  std::optional<Value> pallet_from(const Expression& e, const std::vector<Value>& arguments);
  std::optional<Value> object_place(const Expression& e, const std::vector<Value>& arguments);
  std::optional<Value> place_of(const Expression& e, const std::vector<Value>& arguments);
  std::optional<Value> finite(const Expression& e, double number);

  const ProgramWorld& world_;
  Setting setting_;
  VariableLookup lookup_;
  Finding fault_;
  bool has_fault_ = false;
};

/// A pose from x y z and roll pitch yaw (6) or a quaternion w x y z (7), in `units`; nothing when the
/// quaternion is not of unit length.
std::optional<Pose> pose_of_numbers(const std::vector<double>& numbers, const Units& units);

}  // namespace sinew::language
