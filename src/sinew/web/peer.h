// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sinew::web {

/// One end of a TCP connection.
struct Endpoint {
  std::string address;  ///< In digits.
  std::uint16_t port = 0;
};

/// The user whose program holds the `peer` end of a connection to `own`, from the text of /proc/net/tcp or
/// tcp6. Nothing when there is no such connection, or it is closed already: closed ones count as root's
/// there.
std::optional<std::uint32_t> user_in_table(std::string_view table, const Endpoint& peer, const Endpoint& own);

/// What the system says about a connection.
struct PeerUser {
  std::optional<std::uint32_t> user;  ///< Nothing: there is no such connection, or it is closed already.
};

/// The same, asked of the system for this one connection (sock_diag). Nothing where it cannot be asked so.
std::optional<PeerUser> user_by_lookup(const Endpoint& peer, const Endpoint& own);

/// The same, by whichever of the two can tell. Nothing for a peer on another machine.
std::optional<std::uint32_t> user_of_peer(const Endpoint& peer, const Endpoint& own);

}  // namespace sinew::web
