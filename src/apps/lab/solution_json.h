// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "sinew/base/result.h"
#include "sinew/lab/value.h"

namespace sinew::lab {

/// {"call": FUNCTION, "with": [ARGUMENT…]} and an end of line.
std::string question_line(std::string_view function, std::span<const Value> arguments);

/// What an answer says: the value of {"value": …}, or a refusal with the text of {"error": TEXT}. Anything
/// else is refused as not understood: a solution can write what it likes.
Result<Value> value_from_line(std::string_view line);

}  // namespace sinew::lab
