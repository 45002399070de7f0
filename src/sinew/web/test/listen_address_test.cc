// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/web/listen_address.h"

#include <gtest/gtest.h>

namespace sinew::web {
namespace {

TEST(ListenAddressTest, AddressesAndPortsAreRead) {
  EXPECT_EQ(url_of(*listen_address_from("127.0.0.1:8080")), "http://127.0.0.1:8080");
  EXPECT_EQ(url_of(*listen_address_from("localhost:0")), "http://127.0.0.1:0");
  EXPECT_EQ(url_of(*listen_address_from("[::1]:65535")), "http://[::1]:65535");
  EXPECT_EQ(url_of(*listen_address_from("0.0.0.0:80")), "http://0.0.0.0:80");
}

TEST(ListenAddressTest, WhatIsNoneIsRefusedWithTheForm) {
  for (const char* text :
       {"", "8080", ":8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:80x",
        "::1:80", "[127.0.0.1]:80", "[::1]", "robot.example:80", "1.2.3:80"}) {
    const auto address = listen_address_from(text);
    ASSERT_FALSE(address) << text;
    EXPECT_NE(address.error().message.find("write ADDRESS:PORT"), std::string::npos);
  }
}

TEST(ListenAddressTest, OnlyLoopbackIsLoopback) {
  EXPECT_TRUE(is_loopback("127.0.0.1"));
  EXPECT_TRUE(is_loopback("127.1.2.3"));
  EXPECT_TRUE(is_loopback("::1"));
  for (const char* host : {"0.0.0.0", "::", "192.168.0.1", "127.evil.example", "", "1270.0.0.1"})
    EXPECT_FALSE(is_loopback(host)) << host;
}

}  // namespace
}  // namespace sinew::web
