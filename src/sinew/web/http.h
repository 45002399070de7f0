// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sinew::web {

/// The headers that count here. A header that was sent several times holds all its values, joined by commas,
/// and so is never one that is allowed.
struct HttpHeaders {
  std::optional<std::string> host;
  std::optional<std::string> origin;
  std::optional<std::string> referer;
  std::optional<std::string> fetch_site;  ///< Sec-Fetch-Site: where browsers say that a request comes from.
  std::optional<std::string> purpose;  ///< Sec-Purpose, Purpose or X-Moz: "prefetch" is no wish of a person.
  std::optional<std::string> user_agent;
  std::optional<std::string> cookie;
  std::optional<std::string> authorization;
  std::optional<std::string> content_type;
  std::optional<std::string> control;             ///< X-Sinew-Control: the token of who controls the robot.
  std::optional<std::string> websocket_protocol;  ///< Sec-WebSocket-Protocol: the subprotocols offered.
  std::optional<std::string> if_none_match;
  std::optional<std::string> accept_encoding;
};

/// A request as it came, bounded in size, its syntax checked.
struct HttpRequest {
  std::string method;  ///< "GET"
  std::string target;  ///< "/api/state", as sent.
  HttpHeaders headers;
  std::string body;
  std::optional<std::uint32_t> user;  ///< Whose program asks, when it runs on this machine and that is known.
  std::string peer;                   ///< Address in digits of who asks.
  bool is_secure = false;             ///< True when it came over TLS.
};

/// What is sent back; the headers that make it safe are added to it on the way out.
struct HttpAnswer {
  unsigned status = 200;
  std::string type = "application/json";
  std::string body;
  unsigned retry_after = 0;  ///< [s] When to come again; zero: nothing is said about that.
  /// Further ones: Set-Cookie, ETag, Content-Encoding. One that is sent anyway takes the place of ours.
  std::vector<std::pair<std::string, std::string>> headers;
};

}  // namespace sinew::web
