// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "sinew/base/result.h"

namespace sinew {

struct ExpressionList;
struct ExpressionMap;

/// What an expression of xacro comes to: a truth, a number, a text, a list or a map. Lists and maps are
/// shared and never changed.
using ExpressionValue = std::variant<bool, double, std::string, std::shared_ptr<const ExpressionList>,
                                     std::shared_ptr<const ExpressionMap>>;

struct ExpressionList {
  std::vector<ExpressionValue> items;
  int depth = 1;  ///< Of lists and maps in each other, this one counted.
};

/// Entries in the order in which they were written; the first of a name counts.
struct ExpressionMap {
  std::vector<std::pair<std::string, ExpressionValue>> entries;
  int depth = 1;
};

/// A list or map as a value, its depth counted.
ExpressionValue list_value(std::vector<ExpressionValue> items);
ExpressionValue map_value(std::vector<std::pair<std::string, ExpressionValue>> entries);

/// How deep lists and maps may lie in each other.
inline constexpr int kMostValueDepth = 32;

/// How deep lists and maps lie in a value; zero for the others.
int value_depth(const ExpressionValue& value);

/// The entry of a map; null when it is no map or has none.
const ExpressionValue* entry_of(const ExpressionValue& map, std::string_view key);

/// The value of a name, or nothing when there is none.
using NameLookup = std::function<Result<std::optional<ExpressionValue>>(std::string_view name)>;

/// The content of the YAML file that load_yaml() names.
using YamlLoader = std::function<Result<ExpressionValue>(std::string_view file)>;

/// Evaluates the inside of `${…}`: numbers, texts in quotes, names, + - * / // % **, comparisons, in, and,
/// or, not, `a if b else c`, brackets, lists `[1, 2]` and maps `{'a': 1}` with `x[0]`, `x['a']` and `x.a`,
/// and the functions load_yaml sin cos tan asin acos atan atan2 sqrt abs radians degrees min max pow floor
/// ceil round int float str len. Bounded in length and depth; never gives NaN or infinity.
Result<ExpressionValue> evaluate(std::string_view expression, const NameLookup& lookup,
                                 const YamlLoader& loader = {});

/// As Python prints it: 3 as "3", 0.5 as "0.5", truths as "True" and "False".
std::string value_text(const ExpressionValue& value);

/// Whether a value counts as true: by itself, not zero, or not empty.
bool is_true(const ExpressionValue& value);

/// The number or truth that `text` spells; else the text itself.
ExpressionValue value_of_text(std::string_view text);

}  // namespace sinew
