// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "sinew/web/http.h"

namespace sinew::web {

/// A WebSocket that somebody has opened; a number is never used twice.
using SocketNumber = std::uint64_t;

/// One message, whole.
struct SocketMessage {
  bool is_text = true;  ///< Then it is UTF-8.
  std::string bytes;
};

/// Whether a socket may be opened: a refusal is sent as the answer to the upgrade; else the subprotocol to
/// name (empty: none).
struct SocketVerdict {
  std::optional<HttpAnswer> refusal;
  std::string subprotocol;
  bool is_known = true;  ///< Who opens it has said who they are; of all others only so many are let in.
};

/// Who is asked and told about sockets. All of it is called in one thread (see Server), and never from inside
/// Server::send() or Server::close().
struct SocketHandler {
  std::function<SocketVerdict(const HttpRequest&)> may_open;
  std::function<void(SocketNumber, const HttpRequest&)> opened;
  std::function<void(SocketNumber, const SocketMessage&)> message;
  std::function<void(SocketNumber)> closed;  ///< Exactly once for each opened; no message comes after it.
};

/// How WebSockets end (RFC 6455, section 7.4).
enum class CloseCode : std::uint16_t {
  Normal = 1000,
  GoingAway = 1001,
  Protocol = 1002,
  NothingSaid = 1005,  ///< Never sent.
  NotUtf8 = 1007,
  Policy = 1008,
  TooBig = 1009,
};

/// What one socket may do.
struct SocketBounds {
  std::size_t most_message_bytes = 64U << 10U;   ///< Of one message that comes in, all its frames together.
  double frames_per_second = 400.0;              ///< That come in; as many at once.
  std::int64_t ping_every_ns = 5'000'000'000;    ///< So that silence means something.
  std::int64_t gone_after_ns = 15'000'000'000;   ///< Of silence.
  std::int64_t take_within_ns = 10'000'000'000;  ///< For the client to take one message.
  std::int64_t farewell_within_ns = 2'000'000'000;  ///< For the client to answer to being closed.
};

}  // namespace sinew::web
