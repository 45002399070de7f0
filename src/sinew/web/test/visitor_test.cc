// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/web/visitor.h"

#include <gtest/gtest.h>

namespace sinew::web {
namespace {

const std::vector<std::string> kNames{"labpc"};

bool is_host_let_in(const char* host) {
  return check_host({.host = host}, kNames).has_value();
}

TEST(VisitorTest, AddressesInDigitsAndThisMachinesNamesAreItself) {
  for (const char* host : {"127.0.0.1:8080", "127.0.0.1", "localhost:8080", "LOCALHOST", "[::1]:8080",
                           "[::1]", "192.168.1.20:80", "LabPC:8080"})
    EXPECT_TRUE(is_host_let_in(host)) << host;
}

// the names of pages that lead to 127.0.0.1 by a name server of their own
TEST(VisitorTest, OtherNamesAreNot) {
  for (const char* host :
       {"evil.example", "evil.example:8080", "127.0.0.1.evil.example", "localhost.evil.example:8080", "",
        "127.0.0.1:8080:9", "127.0.0.1:x", "[::1", "[evil]", "127.0.0.1, evil.example", "127.0.0.1:123456",
        "user@127.0.0.1", "0x7f.1", "127.1", "labpc.evil.example", " localhost"})
    EXPECT_FALSE(is_host_let_in(host)) << host;
  EXPECT_FALSE(is_host_let_in("127.0.0.1:"));
  const auto missing = check_host({}, kNames);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::InvalidInput);
}

HttpHeaders headers() {
  return {.host = "127.0.0.1:8080"};
}

TEST(VisitorTest, AProgramMayMove) {
  HttpHeaders curl = headers();
  EXPECT_TRUE(check_mover(curl));
  curl.user_agent = "curl/7.88.1";
  EXPECT_TRUE(check_mover(curl));
  curl.origin = "http://127.0.0.1:8080";
  EXPECT_TRUE(check_mover(curl));
}

TEST(VisitorTest, APersonWhoTypesAndOurOwnPagesMayMove) {
  HttpHeaders browser = headers();
  browser.user_agent = "Mozilla/5.0 (X11; Linux x86_64)";
  browser.fetch_site = "none";
  EXPECT_TRUE(check_mover(browser));
  browser.fetch_site = "same-origin";
  browser.referer = "http://127.0.0.1:8080/move";
  EXPECT_TRUE(check_mover(browser));
}

TEST(VisitorTest, AnotherPageMayNot) {
  for (const char* origin :
       {"http://evil.example", "null", "", "http://127.0.0.1:8081", "http://127.0.0.1",
        "http://127.0.0.1:8080.evil.example", "file://", "http://evil.example, http://127.0.0.1:8080"}) {
    HttpHeaders asked = headers();
    asked.origin = origin;
    EXPECT_FALSE(check_mover(asked)) << origin;
  }
  for (const char* site : {"cross-site", "same-site", "", "none, cross-site", "None"}) {
    HttpHeaders asked = headers();
    asked.fetch_site = site;
    EXPECT_FALSE(check_mover(asked)) << site;
  }
  HttpHeaders linked = headers();
  linked.referer = "http://evil.example/http://127.0.0.1:8080";
  EXPECT_FALSE(check_mover(linked));
}

// a page can keep its browser from sending Referer, and pictures have no Origin
TEST(VisitorTest, ABrowserThatDoesNotSayWhichPageAsksMayNot) {
  HttpHeaders browser = headers();
  browser.user_agent = "Mozilla/5.0 (Macintosh) Version/15.0 Safari/605.1.15";
  const auto refused = check_mover(browser);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("use localhost, or curl"), std::string::npos);
}

TEST(VisitorTest, WhatABrowserFetchesAheadMovesNothing) {
  HttpHeaders browser = headers();
  browser.fetch_site = "none";
  browser.purpose = "prefetch;prerender";
  EXPECT_FALSE(check_mover(browser));
}

}  // namespace
}  // namespace sinew::web
