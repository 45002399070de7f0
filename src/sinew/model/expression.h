// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "sinew/base/result.h"

namespace sinew {

/// What an expression of xacro comes to: a truth, a number or a text.
using ExpressionValue = std::variant<bool, double, std::string>;

/// The value of a name, or nothing when there is none.
using NameLookup = std::function<Result<std::optional<ExpressionValue>>(std::string_view name)>;

/// Evaluates the inside of `${…}`: numbers, texts in quotes, names, + - * / // % **, comparisons, and, or,
/// not, `a if b else c`, brackets, and the functions sin cos tan asin acos atan atan2 sqrt abs radians
/// degrees min max pow floor ceil round int float str len. Bounded in length and depth; never gives NaN or
/// infinity.
Result<ExpressionValue> evaluate(std::string_view expression, const NameLookup& lookup);

/// As Python prints it: 3 as "3", 0.5 as "0.5", truths as "True" and "False".
std::string value_text(const ExpressionValue& value);

/// Whether a value counts as true: by itself, not zero, or not empty.
bool is_true(const ExpressionValue& value);

/// The number or truth that `text` spells; else the text itself.
ExpressionValue value_of_text(std::string_view text);

}  // namespace sinew
