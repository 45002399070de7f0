// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "sinew/base/result.h"
#include "sinew/viewers/session.h"
#include "sinew/viewers/telemetry.h"

// JSON of clients, trusted in nothing. Part of the sessions; not for others.

namespace sinew::viewers {

using Json = nlohmann::json;

/// Brackets within brackets that a client may send.
inline constexpr std::size_t kDeepestNesting = 32;
/// Names, numbers and other short texts of clients.
inline constexpr std::size_t kLongestName = 256;

// Topics on which clients are listened to.
inline constexpr std::string_view kCommandTopic = "/joint_command";
inline constexpr std::string_view kStopTopic = "/stop";
inline constexpr std::string_view kAuthTopic = "/sinew/auth";

/// One JSON object out of a client's bytes. Refused: too long, too deep, not JSON, no object.
Result<Json> object_from(std::string_view bytes);

/// The text at `key` of an object; none when there is none, or it is longer than kLongestName.
std::optional<std::string> text_at(const Json& object, const char* key);
/// The whole number at `key` of an object, from 0 to 2^32 - 1.
std::optional<std::uint32_t> whole_at(const Json& object, const char* key);
/// `value` as such a number.
std::optional<std::uint32_t> whole_from(const Json& value);
/// What is at `key`, or null.
const Json& value_at(const Json& object, const char* key);

/// What a client wants that publishes `message` on `topic`. Refused, with what to do: topics that nobody
/// listens to, a client that may not, joints that the robot does not have, numbers that are none.
Result<Wish> wish_from(std::string_view topic, const Json& message, const RobotFacts& facts,
                       const Permit& permit);

/// A client's word, fit for a message to it: short, printable.
std::string shown(std::string_view text);

/// Value as JSON in one line; bytes that are not UTF-8 become U+FFFD.
std::string dumped(const Json& value);

}  // namespace sinew::viewers
