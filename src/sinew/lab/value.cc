// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/lab/value.h"

#include <cmath>

#include <fmt/format.h>

namespace sinew::lab {
namespace {

constexpr std::size_t kMostText = 80;

Error not_so(std::string message) {
  return {ErrorCode::InvalidInput, std::move(message)};
}

std::string full_text(const Value& value) {
  if (const double* number = value.number()) return fmt::format("{:.6g}", *number);
  if (const std::string* word = value.word()) return fmt::format("'{}'", *word);
  if (value.is_nothing()) return "None";
  std::string out;
  for (const Value& part : *value.list()) {
    if (out.size() > kMostText) break;
    out += (out.empty() ? "" : ", ") + full_text(part);
  }
  return "[" + out + "]";
}

// A list of as many numbers as there are names; `where` says which list is meant.
Result<std::vector<double>> flat_numbers(const Value& value, const std::string& where, std::size_t count,
                                         const std::function<std::string(std::size_t)>& name) {
  const auto* list = value.list();
  if (list == nullptr)
    return not_so(fmt::format("{} is {}; a list of {} numbers is wanted", where, value_text(value), count));
  if (list->size() != count)
    return not_so(
        fmt::format("{} has {} numbers: {}; {} are wanted", where, list->size(), value_text(value), count));
  std::vector<double> numbers;
  for (std::size_t i = 0; i < count; ++i) {
    const double* number = (*list)[i].number();
    if (number == nullptr)
      return not_so(
          fmt::format("{} has {} for {}; a number is wanted", where, value_text((*list)[i]), name(i)));
    if (!std::isfinite(*number))
      return not_so(fmt::format("{} has {} for {}: not a finite number", where, *number, name(i)));
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace

Value::Value(std::span<const double> numbers) {
  std::vector<Value> list;
  for (const double number : numbers) list.emplace_back(number);
  content = std::move(list);
}

std::string value_text(const Value& value) {
  std::string text = full_text(value);
  if (text.size() > kMostText) text = text.substr(0, kMostText) + "...";
  return text;
}

Result<std::vector<double>> numbers_from(const Value& value, std::string_view function,
                                         std::span<const std::string_view> names) {
  return flat_numbers(value, fmt::format("what {}() answers", function), names.size(),
                      [&](std::size_t i) { return fmt::format("'{}'", names[i]); });
}

Result<std::vector<std::vector<double>>> rows_from(const Value& value, std::string_view function,
                                                   std::size_t rows, std::size_t columns) {
  const std::string what = fmt::format("what {}() answers", function);
  const auto* list = value.list();
  if (list == nullptr)
    return not_so(
        fmt::format("{} is {}; a list of rows of {} numbers is wanted", what, value_text(value), columns));
  if (rows != 0 && list->size() != rows)
    return not_so(
        fmt::format("{} has {} rows; {} rows of {} numbers are wanted", what, list->size(), rows, columns));
  std::vector<std::vector<double>> out;
  for (std::size_t row = 0; row < list->size(); ++row) {
    auto numbers = flat_numbers((*list)[row], fmt::format("row {} of {}", row + 1, what), columns,
                                [](std::size_t i) { return fmt::format("number {}", i + 1); });
    if (!numbers) return numbers.error();
    out.push_back(*std::move(numbers));
  }
  return out;
}

}  // namespace sinew::lab
