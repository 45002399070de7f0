// SPDX-License-Identifier: BSD-3-Clause
#include "apps/lab/solution_json.h"

#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

namespace sinew::lab {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Value& value) {
  if (const double* number = value.number()) return *number;
  if (const std::string* word = value.word()) return *word;
  if (value.is_nothing()) return nullptr;
  Json list = Json::array();
  for (const Value& part : *value.list()) list.push_back(json_of(part));
  return list;
}

// Numbers that JSON cannot write come as {"number": "nan"}, texts as {"text": …}.
Result<Value> value_of(const Json& json) {
  if (json.is_null()) return Value();
  if (json.is_number()) return Value(json.get<double>());
  if (json.is_object() && json.size() == 1 && json.begin()->is_string()) {
    const std::string text = json.begin()->get<std::string>();
    if (json.begin().key() == "text") return Value(text);
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (text == "inf") return Value(kInfinity);
    if (text == "-inf") return Value(-kInfinity);
    return Value(std::nan(""));
  }
  if (!json.is_array()) return Error{ErrorCode::Mismatch, "an answer that is not understood"};
  std::vector<Value> list;
  for (const Json& part : json) {
    auto value = value_of(part);
    if (!value) return value.error();
    list.push_back(*std::move(value));
  }
  return Value(std::move(list));
}

}  // namespace

std::string question_line(std::string_view function, std::span<const Value> arguments) {
  Json with = Json::array();
  for (const Value& argument : arguments) with.push_back(json_of(argument));
  return Json{{"call", function}, {"with", with}}.dump() + "\n";
}

Result<Value> value_from_line(std::string_view line) {
  const Json answer = Json::parse(line, nullptr, false);
  if (answer.is_object() && answer.contains("value")) return value_of(answer["value"]);
  if (answer.is_object() && answer.contains("error") && answer["error"].is_string())
    return Error{ErrorCode::InvalidInput, answer["error"].get<std::string>()};
  return Error{ErrorCode::Mismatch, "an answer that is not understood"};
}

}  // namespace sinew::lab
