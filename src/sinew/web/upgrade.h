// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sinew/web/http.h"

namespace sinew::web {

/// The headers by which a request asks to become a WebSocket (RFC 6455, section 4.2).
struct UpgradeHeaders {
  std::string connection;
  std::string upgrade;
  std::string version;
  std::string key;
};

/// Whether a GET with these headers wants to become a WebSocket at all.
bool wants_socket(const UpgradeHeaders& headers);

/// Why it cannot: another version, or a key that is none. Nothing: it can.
std::optional<HttpAnswer> upgrade_refusal(const UpgradeHeaders& headers);

/// What proves to the client that it talks to a WebSocket server: the value of Sec-WebSocket-Accept.
std::string accept_key(std::string_view key);

/// The answer that lets a socket be opened.
HttpAnswer upgrade_answer(const UpgradeHeaders& headers, const std::string& subprotocol);

}  // namespace sinew::web
