// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "sinew/base/result.h"

namespace sinew::lab {

/// What passes between a laboratory and a solution: nothing, a number, a word, or a list of such. A number
/// from a solution may be anything, also not finite.
struct Value {
  std::variant<std::monostate, double, std::string, std::vector<Value>> content;

  Value() = default;
  Value(double number) : content(number) {}                     // NOLINT: converts by design
  Value(std::string word) : content(std::move(word)) {}         // NOLINT: converts by design
  Value(std::vector<Value> list) : content(std::move(list)) {}  // NOLINT: converts by design
  explicit Value(std::span<const double> numbers);

  bool is_nothing() const { return content.index() == 0; }
  const double* number() const { return std::get_if<double>(&content); }
  const std::string* word() const { return std::get_if<std::string>(&content); }
  const std::vector<Value>* list() const { return std::get_if<std::vector<Value>>(&content); }
};

/// Calls a function of the solution. A refusal is the solution's: it crashed, hung, or said what cannot be
/// understood; its message is for the student.
using Ask = std::function<Result<Value>(std::string_view function, std::span<const Value> arguments)>;

/// For people, shortened: "None", "0.5", "'home'", "[0.1, 0.2]".
std::string value_text(const Value& value);

/// The answer of `function` as one finite number for each of `names`; else why it is not, for the student.
Result<std::vector<double>> numbers_from(const Value& value, std::string_view function,
                                         std::span<const std::string_view> names);

/// The answer of `function` as `rows` rows of `columns` finite numbers; zero rows: any number of them.
Result<std::vector<std::vector<double>>> rows_from(const Value& value, std::string_view function,
                                                   std::size_t rows, std::size_t columns);

}  // namespace sinew::lab
