// SPDX-License-Identifier: BSD-3-Clause
// For .cc files of this room and of apps only: it brings nlohmann's header along.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "sinew/base/result.h"

namespace sinew::accounts {

using Json = nlohmann::ordered_json;

/// JSON that can be understood in one way only. Refused, with line and column: what is none, a key that comes
/// twice, more than `most_levels` of nesting, more than a million lists and objects. Takes a time that grows
/// with the text and no faster, 0.1 s for 16 MiB.
Result<Json> strict_json(std::string_view text, std::size_t most_levels = 8);

/// Refused: what is no object, or has other keys than these. `where`: what it is, for the message.
Status check_keys(const Json& json, std::string_view where, std::initializer_list<std::string_view> keys);

/// The text at a key. Refused: there is none.
Result<std::string> text_at(const Json& json, std::string_view where, const std::string& key);

/// In one line, ASCII only.
std::string line_of(const Json& json);

}  // namespace sinew::accounts
