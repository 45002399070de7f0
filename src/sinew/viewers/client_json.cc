// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/viewers/client_json.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sinew/base/text.h"

namespace sinew::viewers {
namespace {

Error refusal(std::string message) {
  return {.code = ErrorCode::InvalidInput, .message = std::move(message)};
}

bool is_too_deep(std::string_view bytes) {
  std::size_t depth = 0;
  bool is_in_text = false;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const char letter = bytes[i];
    if (is_in_text && letter == '\\') {
      ++i;
    } else if (letter == '"') {
      is_in_text = !is_in_text;
    } else if (!is_in_text && (letter == '[' || letter == '{')) {
      if (++depth > kDeepestNesting) return true;
    } else if (!is_in_text && (letter == ']' || letter == '}') && depth > 0) {
      --depth;
    }
  }
  return false;
}

// names and positions must be lists of equal length, of which every entry makes sense
Result<JointWish> joint_wish_from(const Json& message, const RobotFacts& facts) {
  const Json& names = value_at(message, "name");
  const Json& positions = value_at(message, "position");
  if (!names.is_array() || !positions.is_array() || names.empty() || names.size() != positions.size())
    return refusal(fmt::format(
        "{} takes a sensor_msgs/JointState whose lists 'name' and 'position' are of equal "
        "length and not empty; they have {} and {} entries",
        kCommandTopic, names.is_array() ? names.size() : 0, positions.is_array() ? positions.size() : 0));
  JointWish wish;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string name = names[i].is_string() ? names[i].get<std::string>() : dumped(names[i]);
    if (std::ranges::find(facts.joints, name) == facts.joints.end())
      return refusal(fmt::format("robot '{}' has no joint '{}'{}", facts.name, shown(name),
                                 did_you_mean(name.substr(0, kLongestName), facts.joints)));
    if (std::ranges::find(wish.names, name) != wish.names.end())
      return refusal(fmt::format("joint '{}' is named twice", name));
    const double position = positions[i].is_number() ? positions[i].get<double>() : std::nan("");
    if (!std::isfinite(position))
      return refusal(
          fmt::format("the position of joint '{}' is no number: {}", name, shown(dumped(positions[i]))));
    wish.names.push_back(name);
    wish.positions.push_back(position);
  }
  return wish;
}

}  // namespace

Result<Json> object_from(std::string_view bytes) {
  if (bytes.size() > kLargestMessage)
    return refusal(
        fmt::format("a message of {} bytes is too long: at most {}", bytes.size(), kLargestMessage));
  if (is_too_deep(bytes))
    return refusal(fmt::format("brackets within brackets: at most {}", kDeepestNesting));
  Json json = Json::parse(bytes, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return refusal(fmt::format("'{}' is no JSON object", shown(bytes)));
  return json;
}

const Json& value_at(const Json& object, const char* key) {
  static const Json kNothing;
  if (!object.is_object()) return kNothing;
  const auto found = object.find(key);
  return found == object.end() ? kNothing : *found;
}

std::optional<std::string> text_at(const Json& object, const char* key) {
  const Json& value = value_at(object, key);
  if (!value.is_string() || value.get_ref<const std::string&>().size() > kLongestName) return std::nullopt;
  return value.get<std::string>();
}

std::optional<std::uint32_t> whole_from(const Json& value) {
  if (!value.is_number_unsigned()) return std::nullopt;
  const auto whole = value.get<std::uint64_t>();
  if (whole > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
  return static_cast<std::uint32_t>(whole);
}

std::optional<std::uint32_t> whole_at(const Json& object, const char* key) {
  return whole_from(value_at(object, key));
}

Result<Wish> wish_from(std::string_view topic, const Json& message, const RobotFacts& facts,
                       const Permit& permit) {
  if (topic == kStopTopic) return Wish(StopWish{});
  if (topic == kAuthTopic)
    return Wish(Credentials{.session = text_at(message, "session").value_or(""),
                            .control = text_at(message, "control").value_or("")});
  if (topic != kCommandTopic)
    return refusal(fmt::format("nobody listens to '{}'; clients may publish on {}, {} and {}", shown(topic),
                               kCommandTopic, kStopTopic, kAuthTopic));
  if (!permit.may_command)
    return Error{.code = ErrorCode::Denied,
                 .message = fmt::format("this client may not move '{}': {}", facts.name, permit.why_not)};
  auto wish = joint_wish_from(message, facts);
  if (!wish) return wish.error();
  return Wish(*std::move(wish));
}

std::string shown(std::string_view text) {
  std::string clean(text.substr(0, 60));
  std::ranges::replace_if(
      clean, [](char letter) { return letter < ' ' || letter > '~'; }, '?');
  return clean;
}

std::string dumped(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace sinew::viewers
