// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/viewers/rosbridge_session.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sinew/base/text.h"
#include "sinew/base/time.h"
#include "sinew/messages/decode.h"
#include "sinew/viewers/rosapi.h"

namespace sinew::viewers {
namespace {

constexpr double kLongestThrottle = 3600e3;  // [ms]
constexpr int kGoalAborted = 6;              // action_msgs/msg/GoalStatus

std::string_view word_of(Level level) {
  return level == Level::Info ? "info" : level == Level::Warning ? "warning" : "error";
}

// an id may be a text or a number, and is given back as it came
std::string id_of(const Json& request) {
  const Json& id = value_at(request, "id");
  if (id.is_number()) return dumped(id);
  return text_at(request, "id").value_or("");
}

/// ',"id":…' as it came, or nothing.
std::string id_text(const Json& request) {
  const Json& id = value_at(request, "id");
  if (!id.is_number() && !text_at(request, "id")) return "";
  return ",\"id\":" + dumped(id);
}

// [ms] in the request; what makes no sense counts as zero
std::int64_t throttle_in(const Json& request) {
  const Json& rate = value_at(request, "throttle_rate");
  const double pause = rate.is_number() ? rate.get<double>() : 0.0;
  return std::isfinite(pause) ? nanoseconds_from_seconds(std::clamp(pause, 0.0, kLongestThrottle) * 1e-3) : 0;
}

std::string topic_list() {
  std::string list;
  for (const TopicInfo& info : topics()) list += fmt::format("{}{}", list.empty() ? "" : ", ", info.name);
  return list;
}

// why a client cannot have what it asks for; empty: it can
std::string refused_compression(const Json& request) {
  const Json& compression = value_at(request, "compression");
  if (compression.is_null() || compression == "none" || compression == "") return "";
  return fmt::format("compression {} is not done here: leave it out, or say 'none'",
                     shown(dumped(compression)));
}

// who sent a goal waits for its result
Taken refused_goal(const Json& request) {
  return {
      .answers = {
          {.bytes = fmt::format(
               R"({{"op":"action_result","action":{},"values":"there are no actions here; publish on {}",)"
               R"("status":{},"result":false{}}})",
               json_text(text_at(request, "action").value_or("")), kCommandTopic, kGoalAborted,
               id_text(request))}}};
}

}  // namespace

Messages RosbridgeSession::status(Level level, std::string_view text, std::string_view id) const {
  if (!least_level_ || level < *least_level_) return {};
  return {{.bytes = fmt::format(R"({{"op":"status","level":"{}","msg":{}{}}})", word_of(level),
                                json_text(text), id.empty() ? "" : ",\"id\":" + json_text(id))}};
}

Taken RosbridgeSession::complain(const Json& request, std::string_view text, std::int64_t now_ns) {
  if (text.empty() || !complaints_.allows(now_ns)) return {};
  return {.answers = status(Level::Error, text, id_of(request))};
}

Taken RosbridgeSession::take(const Message& message, const Permit& permit, std::int64_t now_ns) {
  if (!message.is_text) return complain({}, "binary messages are not understood: send JSON as text", now_ns);
  const auto request = object_from(message.bytes);
  if (!request) return complain({}, request.error().message, now_ns);
  return take_op(text_at(*request, "op").value_or(""), *request, permit, now_ns);
}

Taken RosbridgeSession::take_op(const std::string& op, const Json& request, const Permit& permit,
                                std::int64_t now_ns) {
  if (op == "subscribe") return subscribe(request, now_ns);
  if (op == "unsubscribe") return unsubscribe(request, now_ns);
  if (op == "advertise") return advertise(request, now_ns);
  if (op == "unadvertise" || op == "status") return {};
  if (op == "publish") return publish_wish(request, permit, now_ns);
  if (op == "call_service") return call_service(request);
  if (op == "set_level") return set_level(request, now_ns);
  if (op == "send_action_goal") return refused_goal(request);
  if (op == "auth") {
    const bool is_ours = request.contains("session");
    return {.wish = Credentials{.session = text_at(request, is_ours ? "session" : "mac").value_or(""),
                                .control = text_at(request, is_ours ? "control" : "rand").value_or("")}};
  }
  return complain(request,
                  fmt::format("'{}' is not among what this server does: subscribe, unsubscribe, advertise, "
                              "unadvertise, publish, call_service, set_level, auth",
                              shown(op)),
                  now_ns);
}

Taken RosbridgeSession::subscribe(const Json& request, std::int64_t now_ns) {
  const std::string name = text_at(request, "topic").value_or("");
  const auto topic = topic_named(name);
  if (!topic)
    return complain(request, fmt::format("there is no topic '{}': there are {}", shown(name), topic_list()),
                    now_ns);
  const std::string type = text_at(request, "type").value_or("");
  if (!type.empty() && !is_same_type(type, info_of(*topic).ros_type))
    return complain(
        request, fmt::format("topic '{}' is of type {}, not {}", name, info_of(*topic).ros_type, shown(type)),
        now_ns);
  if (const std::string why = refused_compression(request); !why.empty())
    return complain(request, why, now_ns);
  const std::string id = id_of(request);
  std::erase_if(subscriptions_, [&](const Subscription& old) { return old.topic == *topic && old.id == id; });
  if (subscriptions_.size() >= kMostSubscriptions)
    return complain(request,
                    fmt::format("more than {} subscriptions of one client are too many", kMostSubscriptions),
                    now_ns);
  // who comes anew sees what there is, though it may not change for long
  deliveries_.at(static_cast<std::size_t>(*topic)).seen.reset();
  subscriptions_.push_back({.id = id, .topic = *topic, .throttle_ns = throttle_in(request)});
  return {};
}

Taken RosbridgeSession::unsubscribe(const Json& request, std::int64_t now_ns) {
  const std::string name = text_at(request, "topic").value_or("");
  const std::string id = id_of(request);
  const auto topic = topic_named(name);
  const std::size_t count = std::erase_if(subscriptions_, [&](const Subscription& old) {
    return topic && old.topic == *topic && (id.empty() || old.id == id);
  });
  if (count == 0)
    return complain(request, fmt::format("there is no subscription to '{}'", shown(name)), now_ns);
  return {};
}

Taken RosbridgeSession::set_level(const Json& request, std::int64_t now_ns) {
  const std::string level = text_at(request, "level").value_or("");
  if (level == "none") {
    least_level_.reset();
    return {};
  }
  for (const Level known : {Level::Info, Level::Warning, Level::Error}) {
    if (level != word_of(known)) continue;
    least_level_ = known;
    return {};
  }
  return complain(request, fmt::format("level '{}' is none of info, warning, error, none", shown(level)),
                  now_ns);
}

// said at once, not only when the first message is lost
Taken RosbridgeSession::advertise(const Json& request, std::int64_t now_ns) {
  const std::string topic = text_at(request, "topic").value_or("");
  if (topic == kCommandTopic || topic == kStopTopic || topic == kAuthTopic) return {};
  return complain(request,
                  fmt::format("nobody listens to '{}'; clients may publish on {}, {} and {}", shown(topic),
                              kCommandTopic, kStopTopic, kAuthTopic),
                  now_ns);
}

Taken RosbridgeSession::publish_wish(const Json& request, const Permit& permit, std::int64_t now_ns) {
  auto wish = wish_from(text_at(request, "topic").value_or(""), value_at(request, "msg"), facts_, permit);
  if (!wish) return complain(request, wish.error().message, now_ns);
  return {.wish = *std::move(wish)};
}

Taken RosbridgeSession::call_service(const Json& request) const {
  const std::string name = text_at(request, "service").value_or("");
  std::string refused = refused_compression(request);
  Json values;
  if (refused.empty()) {
    auto answer = call_rosapi(name, value_at(request, "args"), facts_);
    if (answer)
      values = *std::move(answer);
    else
      refused = answer.error().message;
  }
  return {.answers = {
              {.bytes = fmt::format(R"({{"op":"service_response","service":{},"values":{},"result":{}{}}})",
                                    json_text(name), refused.empty() ? dumped(values) : json_text(refused),
                                    refused.empty(), id_text(request))}}};
}

std::optional<std::int64_t> RosbridgeSession::throttle_of(Topic topic) const {
  std::optional<std::int64_t> least;
  for (const Subscription& subscription : subscriptions_)
    if (subscription.topic == topic) least = std::min(least.value_or(kNever_ns), subscription.throttle_ns);
  return least;
}

Messages RosbridgeSession::publish(Edition& edition, std::int64_t now_ns) {
  Messages messages;
  for (const TopicInfo& info : topics()) {
    const auto throttle_ns = throttle_of(info.topic);
    Delivery& delivery = deliveries_.at(static_cast<std::size_t>(info.topic));
    const std::uint64_t version = edition.version(info.topic);
    if (!throttle_ns || delivery.seen == version) continue;
    if (delivery.seen && now_ns - delivery.sent_ns < *throttle_ns) continue;
    delivery = {.seen = version, .sent_ns = now_ns};
    messages.push_back({.bytes = fmt::format(R"({{"op":"publish","topic":"{}","msg":{}}})", info.name,
                                             edition.text(info.topic, Dialect::Ros)),
                        .stream = 1 + static_cast<std::uint32_t>(info.topic)});
  }
  return messages;
}

}  // namespace sinew::viewers
