// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "sinew/base/result.h"
#include "sinew/processes/roles.h"

namespace sinew::supervisor {

// What passes between `sinew` and the supervisor: lines of JSON on a Unix socket of the same user.
//
//   {"verb": "start", "plan": {…}}            the processes of a robot, in order
//   {"verb": "stop", "name": "mds", "grace": 5}   no name: all robots; grace [s] before they are killed
//   {"verb": "status"}
//
// Answered by any number of {"news": TEXT} and one last line, {"done": true, …} or {"done": false,
// "error": TEXT}; then the connection is closed. A line that is no request is answered the same way.

using Json = nlohmann::ordered_json;

/// Longest line that is taken [bytes].
inline constexpr std::size_t kLongestLine = 64U << 10U;

/// One line as an object; refused when it is too long, too deep, or no object.
Result<Json> parse_line(std::string_view line);

/// One line, its end included. Bytes that are no UTF-8 are replaced.
std::string line_of(const Json& json);

/// The text or number in a member, or the fallback when there is none of that kind.
std::string text_in(const Json& json, const char* key, const std::string& fallback = {});
double number_in(const Json& json, const char* key, double fallback = 0);

Json json_of(const processes::RobotPlan& plan);

/// A plan from JSON that somebody else wrote: names checked, numbers bounded.
Result<processes::RobotPlan> plan_from(const Json& json);

/// Writes a plan so that it is there whole or not at all; reads it.
Status save_plan(const std::string& path, const processes::RobotPlan& plan, bool is_stopping);
struct SavedPlan {
  processes::RobotPlan plan;
  bool is_stopping = false;  ///< The robot was being stopped when this was written.
};
Result<SavedPlan> load_plan(const std::string& path);

}  // namespace sinew::supervisor
