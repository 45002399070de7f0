// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/web/peer.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

namespace sinew::web {
namespace {

constexpr const char* kTable =
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
    "   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1 1 0 100 0 "
    "0 10 0\n"
    "   1: 0100007F:D431 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1001        0 2 1 0 20 4 "
    "30 10 -1\n"
    "   2: 0100007F:D432 0100007F:1F90 05 00000000:00000000 03:00000000 00000000     0        0 0 2 0\n"
    "   3: 0100007F:1F90 0100007F:D431 01 00000000:00000000 00:00000000 00000000  1000        0 3 1 0 20 4 "
    "30 10 -1\n";

const Endpoint kOwn{.address = "127.0.0.1", .port = 0x1f90};

TEST(PeerTest, TheUserOfTheOtherEndIsFound) {
  EXPECT_EQ(user_in_table(kTable, {"127.0.0.1", 0xd431}, kOwn), 1001U);
  EXPECT_EQ(user_in_table(kTable, kOwn, {"127.0.0.1", 0xd431}), 1000U);
}

// one who closes at once would be taken for root
TEST(PeerTest, AClosedConnectionIsNobodys) {
  EXPECT_FALSE(user_in_table(kTable, {"127.0.0.1", 0xd432}, kOwn));
}

TEST(PeerTest, WhatIsNotThereIsNobodys) {
  EXPECT_FALSE(user_in_table(kTable, {"127.0.0.1", 1}, kOwn));
  EXPECT_FALSE(user_in_table(kTable, {"127.0.0.2", 0xd431}, kOwn));
  EXPECT_FALSE(user_in_table(kTable, {"nonsense", 0xd431}, kOwn));
  EXPECT_FALSE(user_in_table("", {"127.0.0.1", 0xd431}, kOwn));
  EXPECT_FALSE(user_in_table("1: 0100007F:D431 0100007F:1F90 01\n", {"127.0.0.1", 0xd431}, kOwn));
  EXPECT_FALSE(user_of_peer({"192.168.1.2", 0xd431}, kOwn));
}

TEST(PeerTest, VersionSixIsWrittenInFourWords) {
  const std::string line =
      "   1: 00000000000000000000000001000000:D431 00000000000000000000000001000000:1F90 01 0:0 0:0 0 1001 "
      "0\n";
  EXPECT_EQ(user_in_table(line, {"::1", 0xd431}, {"::1", 0x1f90}), 1001U);
}

std::uint16_t port_of(int descriptor) {
  sockaddr_in6 address{};
  socklen_t size = sizeof address;
  getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size);
  // the port is at the same place in both versions
  return ntohs(address.sin6_port);
}

TEST(PeerTest, RealConnectionsAreFoundByLookupAndInTheTableAlike) {
  for (const bool is_version_6 : {false, true}) {
    const int family = is_version_6 ? AF_INET6 : AF_INET;
    const std::string loopback = is_version_6 ? "::1" : "127.0.0.1";
    const int listening = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in6 address{.sin6_family = static_cast<sa_family_t>(family)};
    if (is_version_6)
      address.sin6_addr = in6addr_loopback;
    else
      reinterpret_cast<sockaddr_in&>(address).sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(listening, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
      // a machine without version 6
      ASSERT_TRUE(is_version_6);
      close(listening);
      continue;
    }
    ASSERT_EQ(listen(listening, 1), 0);
    const Endpoint own{loopback, port_of(listening)};
    address.sin6_port = htons(own.port);
    const int client = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ASSERT_EQ(connect(client, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    const Endpoint peer{loopback, port_of(client)};
    std::ifstream file(is_version_6 ? "/proc/net/tcp6" : "/proc/net/tcp");
    const std::string table{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    EXPECT_EQ(user_in_table(table, peer, own), geteuid());
    EXPECT_EQ(user_of_peer(peer, own), geteuid());
    // where the system can be asked, it says the same
    const auto found = user_by_lookup(peer, own);
    EXPECT_TRUE(!found || found->user == geteuid());
    const Endpoint nobody{loopback, 1};
    EXPECT_FALSE(user_of_peer(nobody, own));
    close(client);
    EXPECT_FALSE(user_of_peer(peer, own)) << "closed";
    close(listening);
  }
}

}  // namespace
}  // namespace sinew::web
