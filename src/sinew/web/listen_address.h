// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sinew/base/result.h"

namespace sinew::web {

/// Where a server listens.
struct ListenAddress {
  std::string host = "127.0.0.1";  ///< An address in digits, of version 4 or 6.
  std::uint16_t port = 8080;       ///< Zero: any that is free.
};

/// "127.0.0.1:8080", "[::1]:8080", "localhost:0", "0.0.0.0:80"; refused: names, which may mean anything.
Result<ListenAddress> listen_address_from(std::string_view text);

/// True when only programs of this machine can reach it.
bool is_loopback(std::string_view host);

/// True for an address in digits, of version 4 or 6.
bool is_address(std::string_view host);

/// "http://127.0.0.1:8080", or "https://…".
std::string url_of(const ListenAddress& address, bool is_secure = false);

}  // namespace sinew::web
