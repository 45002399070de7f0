// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "sinew/viewers/client_json.h"
#include "sinew/viewers/edition.h"
#include "sinew/viewers/session.h"

namespace sinew::viewers {

/// The names under which clients ask for the protocol; both mean the same here.
inline constexpr std::array<std::string_view, 2> kFoxgloveSubprotocols{"foxglove.sdk.v1",
                                                                       "foxglove.websocket.v1"};

/// One client of the Foxglove WebSocket protocol: Foxglove, Lichtblick, @foxglove/ws-protocol. Each topic is
/// a channel with JSON and a JSON Schema; it may publish JSON on its own channels, and read two parameters.
class FoxgloveSession final : public ViewerSession {
 public:
  static constexpr std::size_t kMostClientChannels = 16;

  /// `facts` must outlive this object.
  explicit FoxgloveSession(const RobotFacts& facts) : facts_(facts) {}

  Messages greeting() const override;
  Taken take(const Message& message, const Permit& permit, std::int64_t now_ns) override;
  Messages publish(Edition& edition, std::int64_t now_ns) override;
  Messages tell(Level level, std::string_view text) const override;
  Messages give(const AssetWish& wish, const Result<std::string>& file) const override;
  bool has_subscriptions() const override { return !subscriptions_.empty(); }

 private:
  struct Subscription {
    Topic topic;
    std::optional<std::uint64_t> seen;  ///< Version that was sent last.
  };

  Taken complain(std::string_view text, std::int64_t now_ns);
  Taken take_text(std::string_view bytes, std::int64_t now_ns);
  Taken take_binary(std::string_view bytes, const Permit& permit, std::int64_t now_ns);
  Taken take_data(std::string_view bytes, const Permit& permit, std::int64_t now_ns);
  Taken take_service_call(std::string_view bytes, std::int64_t now_ns);
  Taken subscribe(const Json& request, std::int64_t now_ns);
  Taken unsubscribe(const Json& request, std::int64_t now_ns);
  Taken advertise(const Json& request, std::int64_t now_ns);
  Taken unadvertise(const Json& request, std::int64_t now_ns);
  Taken fetch_asset(const Json& request, std::int64_t now_ns);
  Taken get_parameters(const Json& request) const;
  Taken refuse_parameters(const Json& request, std::int64_t now_ns);
  std::string refused_subscription(const Json& wanted);
  std::string refused_channel(const Json& wanted);

  const RobotFacts& facts_;
  std::map<std::uint32_t, Subscription> subscriptions_;   ///< By the client's number.
  std::map<std::uint32_t, std::string> client_channels_;  ///< Topics, by the client's number.
  ComplaintLimit complaints_;
};

}  // namespace sinew::viewers
