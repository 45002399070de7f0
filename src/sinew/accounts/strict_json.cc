// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/accounts/strict_json.h"

#include <algorithm>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "sinew/base/text.h"

namespace sinew::accounts {
namespace {

// Sees what the parser sees, and remembers the first thing that it would let pass.
class Watch {
 public:
  explicit Watch(std::size_t most_levels) : most_levels_(most_levels) {}

  bool operator()(Json::parse_event_t event, const Json& parsed) {
    using Event = Json::parse_event_t;
    // what is wrong anyway need not be kept, nor what comes after it
    if (!complaint_.empty()) return false;
    if (event == Event::object_start || event == Event::array_start) open();
    if (event == Event::object_end || event == Event::array_end) levels_.pop_back();
    if (event == Event::key && !levels_.back().insert(parsed.get<std::string>()).second)
      complaint_ = fmt::format("'{}' is said twice", shown_text(parsed.get<std::string>()));
    return complaint_.empty();
  }

  const std::string& complaint() const { return complaint_; }

 private:
  void open() {
    levels_.emplace_back();
    if (levels_.size() > most_levels_)
      complaint_ = fmt::format("more than {} levels of lists and objects", most_levels_);
  }

  std::size_t most_levels_;
  std::vector<std::set<std::string>> levels_;
  std::string complaint_;
};

std::string place_of(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, byte == 0 ? 0 : byte - 1);
  const auto line = std::ranges::count(before, '\n') + 1;
  const std::size_t start = before.rfind('\n');
  const std::size_t column = start == std::string_view::npos ? before.size() + 1 : before.size() - start;
  return fmt::format("line {}, column {}", line, column);
}

}  // namespace

Result<Json> strict_json(std::string_view text, std::size_t most_levels) {
  Watch watch(most_levels);
  try {
    Json json = Json::parse(text.begin(), text.end(), [&](int, Json::parse_event_t event, Json& parsed) {
      return watch(event, parsed);
    });
    if (!watch.complaint().empty()) return Error{ErrorCode::InvalidInput, watch.complaint()};
    return json;
  } catch (const nlohmann::json::parse_error& problem) {
    return Error{ErrorCode::InvalidInput, fmt::format("{}: this is no JSON", place_of(text, problem.byte))};
  } catch (const nlohmann::json::exception&) {
    return Error{ErrorCode::InvalidInput, "it holds a number that is too large"};
  }
}

Status check_keys(const Json& json, std::string_view where, std::initializer_list<std::string_view> keys) {
  if (!json.is_object()) return Error{ErrorCode::InvalidInput, fmt::format("{} must be an object", where)};
  for (const auto& [key, value] : json.items())
    if (std::ranges::find(keys, key) == keys.end())
      return Error{ErrorCode::InvalidInput, fmt::format("{} has no '{}'; there are {}", where,
                                                        shown_text(key), fmt::join(keys, ", "))};
  return Done{};
}

Result<std::string> text_at(const Json& json, std::string_view where, const std::string& key) {
  const auto found = json.find(key);
  if (found == json.end()) return Error{ErrorCode::InvalidInput, fmt::format("{} needs '{}'", where, key)};
  if (!found->is_string())
    return Error{ErrorCode::InvalidInput, fmt::format("'{}' of {} must be text", key, where)};
  return found->get<std::string>();
}

std::string line_of(const Json& json) {
  return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

}  // namespace sinew::accounts
