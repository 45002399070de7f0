// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>

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
};

/// A request as it came, bounded in size, its syntax checked.
struct HttpRequest {
  std::string method;  ///< "GET"
  std::string target;  ///< "/api/state", as sent.
  HttpHeaders headers;
  std::string body;
  std::optional<std::uint32_t> user;  ///< Whose program asks, when it runs on this machine and that is known.
};

/// What is sent back; the headers that make it safe are added to it on the way out.
struct HttpAnswer {
  unsigned status = 200;
  std::string type = "application/json";
  std::string body;
  unsigned retry_after = 0;  ///< [s] When to come again; zero: nothing is said about that.
};

}  // namespace sinew::web
