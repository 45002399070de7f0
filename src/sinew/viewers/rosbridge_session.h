// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/viewers/client_json.h"
#include "sinew/viewers/edition.h"
#include "sinew/viewers/session.h"

namespace sinew::viewers {

/// One client of rosbridge v2 in JSON: roslib, roslibpy and their like. Topics are written as ROS 2 has them;
/// types may be given as in ROS 1, too. Of a topic the newest counts, so queue_length is not needed.
///
/// {"op": "auth", "mac": SESSION, "rand": CONTROL} says who the client is, as does the same with the keys
/// "session" and "control": the first pair is what roslib's authenticate() sends.
class RosbridgeSession final : public ViewerSession {
 public:
  static constexpr std::size_t kMostSubscriptions = 64;

  /// `facts` must outlive this object.
  explicit RosbridgeSession(const RobotFacts& facts) : facts_(facts) {}

  /// Nothing: rosbridge waits to be asked.
  Messages greeting() const override { return {}; }
  Taken take(const Message& message, const Permit& permit, std::int64_t now_ns) override;
  Messages publish(Edition& edition, std::int64_t now_ns) override;
  Messages tell(Level level, std::string_view text) const override { return status(level, text, ""); }
  /// Nothing: its clients never ask for files.
  Messages give(const AssetWish&, const Result<std::string>&) const override { return {}; }
  bool has_subscriptions() const override { return !subscriptions_.empty(); }

 private:
  struct Subscription {
    std::string id;  ///< May be empty.
    Topic topic;
    std::int64_t throttle_ns = 0;  ///< Between two messages, at least.
  };
  /// What this client has had of a topic.
  struct Delivery {
    std::optional<std::uint64_t> seen;
    std::int64_t sent_ns = 0;
  };

  Messages status(Level level, std::string_view text, std::string_view id) const;
  Taken complain(const Json& request, std::string_view text, std::int64_t now_ns);
  Taken take_op(const std::string& op, const Json& request, const Permit& permit, std::int64_t now_ns);
  Taken subscribe(const Json& request, std::int64_t now_ns);
  Taken unsubscribe(const Json& request, std::int64_t now_ns);
  Taken set_level(const Json& request, std::int64_t now_ns);
  Taken advertise(const Json& request, std::int64_t now_ns);
  Taken publish_wish(const Json& request, const Permit& permit, std::int64_t now_ns);
  Taken call_service(const Json& request) const;
  /// The longest pause that all who want `topic` can live with; none when nobody wants it.
  std::optional<std::int64_t> throttle_of(Topic topic) const;

  const RobotFacts& facts_;
  std::vector<Subscription> subscriptions_;
  std::array<Delivery, kTopicCount> deliveries_;
  std::optional<Level> least_level_ = Level::Error;  ///< Less is not said; none: nothing is.
  ComplaintLimit complaints_;
};

}  // namespace sinew::viewers
