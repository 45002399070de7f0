// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/viewers/foxglove_session.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sinew/messages/decode.h"

namespace sinew::viewers {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers of the protocol are little-endian");

// the first byte of binary messages
constexpr char kMessageData = 1;
constexpr char kTime = 2;
constexpr char kServiceCall = 2;
constexpr char kAsset = 4;

constexpr std::string_view kDescriptionParameter = "/robot_description";
constexpr std::string_view kNameParameter = "/robot_name";

/// The stream of the time; those of topics come after it.
constexpr std::uint32_t kTimeStream = 1;
std::uint32_t stream_of(Topic topic) {
  return kTimeStream + 1 + static_cast<std::uint32_t>(topic);
}

/// Channels are numbered as topics are, from 1.
std::uint32_t channel_of(Topic topic) {
  return 1 + static_cast<std::uint32_t>(topic);
}

template <class Number>
void append(std::string& bytes, Number number) {
  std::array<char, sizeof number> raw{};
  std::memcpy(raw.data(), &number, sizeof number);
  bytes.append(raw.data(), raw.size());
}

std::uint32_t number_at(std::string_view bytes, std::size_t offset) {
  std::uint32_t number = 0;
  std::memcpy(&number, bytes.data() + offset, sizeof number);
  return number;
}

Message data_frame(std::uint32_t subscription, std::int64_t stamp_ns, const std::string& payload,
                   Topic topic) {
  Message frame{.is_text = false, .stream = stream_of(topic)};
  frame.bytes.reserve(13 + payload.size());
  frame.bytes += kMessageData;
  append(frame.bytes, subscription);
  append(frame.bytes, static_cast<std::uint64_t>(stamp_ns));
  frame.bytes += payload;
  return frame;
}

Message time_frame(std::int64_t stamp_ns) {
  Message frame{.is_text = false, .stream = kTimeStream};
  frame.bytes += kTime;
  append(frame.bytes, static_cast<std::uint64_t>(stamp_ns));
  return frame;
}

std::string channel_text(const TopicInfo& info) {
  return fmt::format(
      R"({{"id":{},"topic":"{}","encoding":"json","schemaName":"{}","schemaEncoding":"jsonschema","schema":{}}})",
      channel_of(info.topic), info.name, info.foxglove_type, json_text(schema_of(info.topic)));
}

std::string parameter_text(std::string_view name, std::string_view value) {
  return fmt::format(R"({{"name":"{}","value":{}}})", name, json_text(value));
}

}  // namespace

Messages FoxgloveSession::greeting() const {
  std::string channels;
  for (const TopicInfo& info : topics()) channels += (channels.empty() ? "" : ",") + channel_text(info);
  return {
      {.bytes = fmt::format(
           R"({{"op":"serverInfo","name":{},"capabilities":["assets","clientPublish","parameters","time"],)"
           R"("supportedEncodings":["json"],"metadata":{{"robot":{},"version":{}}},"sessionId":{}}})",
           json_text("Sinew: " + facts_.name), json_text(facts_.name), json_text(facts_.version),
           json_text(facts_.run))},
      {.bytes = fmt::format(R"({{"op":"advertise","channels":[{}]}})", channels)}};
}

Messages FoxgloveSession::tell(Level level, std::string_view text) const {
  return {{.bytes = fmt::format(R"({{"op":"status","level":{},"message":{}}})",
                                static_cast<std::uint32_t>(level), json_text(text))}};
}

Taken FoxgloveSession::complain(std::string_view text, std::int64_t now_ns) {
  if (text.empty() || !complaints_.allows(now_ns)) return {};
  return {.answers = tell(Level::Error, text)};
}

Taken FoxgloveSession::take(const Message& message, const Permit& permit, std::int64_t now_ns) {
  return message.is_text ? take_text(message.bytes, now_ns) : take_binary(message.bytes, permit, now_ns);
}

Taken FoxgloveSession::take_text(std::string_view bytes, std::int64_t now_ns) {
  const auto request = object_from(bytes);
  if (!request) return complain(request.error().message, now_ns);
  const std::string op = text_at(*request, "op").value_or("");
  if (op == "subscribe") return subscribe(*request, now_ns);
  if (op == "unsubscribe") return unsubscribe(*request, now_ns);
  if (op == "advertise") return advertise(*request, now_ns);
  if (op == "unadvertise") return unadvertise(*request, now_ns);
  if (op == "getParameters") return get_parameters(*request);
  if (op == "fetchAsset") return fetch_asset(*request, now_ns);
  if (op == "setParameters") return refuse_parameters(*request, now_ns);
  return complain(fmt::format("'{}' is not among what this server does: see its capabilities", shown(op)),
                  now_ns);
}

std::string FoxgloveSession::refused_subscription(const Json& wanted) {
  const auto id = whole_at(wanted, "id");
  const auto channel = whole_at(wanted, "channelId");
  if (!id || !channel) return "a subscription has an 'id' and a 'channelId', whole numbers of 32 bits";
  if (*channel < 1 || *channel > kTopicCount)
    return fmt::format("there is no channel {}: they are numbered 1 to {}", *channel, kTopicCount);
  const Topic topic = topics()[*channel - 1].topic;
  if (subscriptions_.contains(*id)) return fmt::format("subscription {} is there already", *id);
  if (std::ranges::any_of(subscriptions_, [&](const auto& entry) { return entry.second.topic == topic; }))
    return fmt::format("channel {} is subscribed to already", *channel);
  subscriptions_.emplace(*id, Subscription{.topic = topic});
  return "";
}

Taken FoxgloveSession::subscribe(const Json& request, std::int64_t now_ns) {
  const Json& list = value_at(request, "subscriptions");
  if (!list.is_array()) return complain("'subscribe' wants a list 'subscriptions'", now_ns);
  std::string refused;
  for (const Json& wanted : list)
    if (const std::string why = refused_subscription(wanted); refused.empty()) refused = why;
  return complain(refused, now_ns);
}

Taken FoxgloveSession::unsubscribe(const Json& request, std::int64_t now_ns) {
  const Json& list = value_at(request, "subscriptionIds");
  if (!list.is_array()) return complain("'unsubscribe' wants a list 'subscriptionIds'", now_ns);
  std::string refused;
  for (const Json& wanted : list) {
    const auto id = whole_from(wanted);
    if (!id || subscriptions_.erase(*id) == 0)
      refused = fmt::format("there is no subscription {}", shown(dumped(wanted)));
  }
  return complain(refused, now_ns);
}

std::string FoxgloveSession::refused_channel(const Json& wanted) {
  const auto id = whole_at(wanted, "id");
  const auto topic = text_at(wanted, "topic");
  const std::string encoding = text_at(wanted, "encoding").value_or("");
  if (!id || !topic) return "a channel has an 'id', a whole number of 32 bits, and a 'topic'";
  if (encoding != "json")
    return fmt::format("channel '{}' has the encoding '{}': only 'json' is understood", shown(*topic),
                       shown(encoding));
  if (client_channels_.contains(*id)) return fmt::format("your channel {} is there already", *id);
  if (client_channels_.size() >= kMostClientChannels)
    return fmt::format("more than {} channels of one client are too many", kMostClientChannels);
  client_channels_.emplace(*id, *topic);
  return "";
}

Taken FoxgloveSession::advertise(const Json& request, std::int64_t now_ns) {
  const Json& list = value_at(request, "channels");
  if (!list.is_array()) return complain("'advertise' wants a list 'channels'", now_ns);
  std::string refused;
  for (const Json& wanted : list)
    if (const std::string why = refused_channel(wanted); refused.empty()) refused = why;
  return complain(refused, now_ns);
}

Taken FoxgloveSession::unadvertise(const Json& request, std::int64_t now_ns) {
  const Json& list = value_at(request, "channelIds");
  if (!list.is_array()) return complain("'unadvertise' wants a list 'channelIds'", now_ns);
  std::string refused;
  for (const Json& wanted : list) {
    const auto id = whole_from(wanted);
    if (!id || client_channels_.erase(*id) == 0)
      refused = fmt::format("you have no channel {}", shown(dumped(wanted)));
  }
  return complain(refused, now_ns);
}

Taken FoxgloveSession::get_parameters(const Json& request) const {
  const Json& names = value_at(request, "parameterNames");
  const auto is_wanted = [&](std::string_view name) {
    return !names.is_array() || names.empty() || std::ranges::find(names, Json(name)) != names.end();
  };
  std::string values;
  const std::array<std::pair<std::string_view, std::string_view>, 2> parameters{
      {{kDescriptionParameter, facts_.description}, {kNameParameter, facts_.name}}};
  for (const auto& [name, value] : parameters)
    if (is_wanted(name)) values += (values.empty() ? "" : ",") + parameter_text(name, value);
  const auto id = text_at(request, "id");
  return {.answers = {{.bytes = fmt::format(R"({{"op":"parameterValues","parameters":[{}]{}}})", values,
                                            id ? ",\"id\":" + json_text(*id) : "")}}};
}

// who set a parameter and gave an id is waiting for the values as they are now
Taken FoxgloveSession::refuse_parameters(const Json& request, std::int64_t now_ns) {
  Taken taken = complain("parameters are only read here; robot.yaml holds what can be set", now_ns);
  const auto id = text_at(request, "id");
  if (!id || taken.answers.empty()) return taken;
  Json names = Json::array();
  if (const Json& list = value_at(request, "parameters"); list.is_array())
    for (const Json& parameter : list) names.push_back(text_at(parameter, "name").value_or(""));
  const Json as_they_are{{"parameterNames", std::move(names)}, {"id", *id}};
  taken.answers.push_back(std::move(get_parameters(as_they_are).answers.front()));
  return taken;
}

Taken FoxgloveSession::fetch_asset(const Json& request, std::int64_t now_ns) {
  const auto number = whole_at(request, "requestId");
  const auto uri = text_at(request, "uri");
  if (!number || !uri)
    return complain("'fetchAsset' wants a 'uri' and a 'requestId', a whole number of 32 bits", now_ns);
  return {.wish = AssetWish{.request = *number, .uri = *uri}};
}

Messages FoxgloveSession::give(const AssetWish& wish, const Result<std::string>& file) const {
  const std::string why = file ? "" : file.error().message;
  Message frame{.is_text = false};
  frame.bytes += kAsset;
  append(frame.bytes, wish.request);
  frame.bytes += file ? '\0' : '\1';
  append(frame.bytes, static_cast<std::uint32_t>(why.size()));
  frame.bytes += file ? *file : why;
  return {std::move(frame)};
}

Taken FoxgloveSession::take_binary(std::string_view bytes, const Permit& permit, std::int64_t now_ns) {
  if (bytes.empty()) return complain("an empty message", now_ns);
  if (bytes.front() == kMessageData) return take_data(bytes, permit, now_ns);
  if (bytes.front() == kServiceCall) return take_service_call(bytes, now_ns);
  return complain(
      fmt::format("there is no binary message of kind {}", static_cast<unsigned char>(bytes.front())),
      now_ns);
}

Taken FoxgloveSession::take_data(std::string_view bytes, const Permit& permit, std::int64_t now_ns) {
  constexpr std::size_t kHead = 1 + 4;
  if (bytes.size() < kHead) return complain("a message is cut short before its channel", now_ns);
  const auto channel = client_channels_.find(number_at(bytes, 1));
  if (channel == client_channels_.end())
    return complain(fmt::format("you have no channel {}: advertise it first", number_at(bytes, 1)), now_ns);
  const auto message = object_from(bytes.substr(kHead));
  if (!message) return complain(message.error().message, now_ns);
  auto wish = wish_from(channel->second, *message, facts_, permit);
  if (!wish) return complain(wish.error().message, now_ns);
  return {.wish = *std::move(wish)};
}

Taken FoxgloveSession::take_service_call(std::string_view bytes, std::int64_t now_ns) {
  constexpr std::size_t kHead = 1 + 4 + 4;
  if (bytes.size() < kHead) return complain("a service call is cut short", now_ns);
  if (!complaints_.allows(now_ns)) return {};
  return {
      .answers = {
          {.bytes = fmt::format(
               R"({{"op":"serviceCallFailure","serviceId":{},"callId":{},"message":"there are no services here"}})",
               number_at(bytes, 1), number_at(bytes, 5))}}};
}

Messages FoxgloveSession::publish(Edition& edition, std::int64_t /*now_ns*/) {
  Messages messages;
  for (auto& [id, subscription] : subscriptions_) {
    const std::uint64_t version = edition.version(subscription.topic);
    if (subscription.seen == version) continue;
    subscription.seen = version;
    if (messages.empty()) messages.push_back(time_frame(edition.stamp_ns()));
    messages.push_back(data_frame(id, edition.stamp_ns(), edition.text(subscription.topic, Dialect::Foxglove),
                                  subscription.topic));
  }
  return messages;
}

}  // namespace sinew::viewers
