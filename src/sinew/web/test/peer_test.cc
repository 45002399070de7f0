// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/web/peer.h"

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

}  // namespace
}  // namespace sinew::web
