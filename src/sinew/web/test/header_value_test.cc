// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/web/header_value.h"

#include <gtest/gtest.h>

#include "sinew/web/answer_text.h"
#include "sinew/web/upgrade.h"

namespace sinew::web {
namespace {

TEST(HeaderValue, FindsAWordInAListInCapitalsOrNot) {
  EXPECT_TRUE(has_word("keep-alive, Upgrade", "upgrade"));
  EXPECT_TRUE(has_word("WebSocket", "websocket"));
  EXPECT_TRUE(has_word(" ,, upgrade ", "upgrade"));
  EXPECT_FALSE(has_word("upgrades", "upgrade"));
  EXPECT_FALSE(has_word("", "upgrade"));
}

TEST(HeaderValue, KnowsWhichCodingIsAccepted) {
  EXPECT_TRUE(accepts("gzip, deflate, br", "gzip"));
  EXPECT_TRUE(accepts("br;q=1.0, GZIP;q=0.1", "gzip"));
  EXPECT_TRUE(accepts("*", "gzip"));
  EXPECT_FALSE(accepts("gzip;q=0", "gzip"));
  EXPECT_FALSE(accepts("*, gzip; q=0.000", "gzip"));
  EXPECT_FALSE(accepts("identity", "gzip"));
  EXPECT_FALSE(accepts("", "gzip"));
}

TEST(AnswerText, HasTheHeadersThatMakeItSafeUnlessItHasItsOwn) {
  const std::string text = answer_text({.body = "{}"}, {});
  EXPECT_TRUE(text.starts_with("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n")) << text;
  EXPECT_NE(text.find("Cache-Control: no-store\r\n"), std::string::npos);
  EXPECT_TRUE(text.ends_with("Content-Length: 2\r\n\r\n{}"));
  const std::string own = answer_text({.headers = {{"cache-control", "no-cache"}, {"ETag", "\"1\""}}}, {});
  EXPECT_EQ(own.find("no-store"), std::string::npos);
  EXPECT_NE(own.find("cache-control: no-cache\r\n"), std::string::npos);
  EXPECT_NE(own.find("ETag: \"1\"\r\n"), std::string::npos);
}

TEST(AnswerText, AHeaderThatWouldBeTwoIsLeftOut) {
  const std::string text =
      answer_text({.headers = {{"X-A", "1\r\nSet-Cookie: a=b"}, {"X B", "1"}, {"", "2"}, {"X-C", "3"}}}, {});
  EXPECT_EQ(text.find("Set-Cookie"), std::string::npos);
  EXPECT_EQ(text.find("X B"), std::string::npos);
  EXPECT_NE(text.find("X-C: 3\r\n"), std::string::npos);
}

TEST(AnswerText, WhatHasNoBodySendsNone) {
  const std::string text = answer_text({.status = 304, .body = "never"}, {});
  EXPECT_TRUE(text.starts_with("HTTP/1.1 304 Not Modified\r\n"));
  EXPECT_EQ(text.find("Content-Length"), std::string::npos);
  EXPECT_EQ(text.find("Content-Type"), text.find("Content-Type-Options"));
  EXPECT_TRUE(text.ends_with("\r\n\r\n"));
  const std::string head = answer_text({.body = "12345"}, {.is_head = true});
  EXPECT_TRUE(head.ends_with("Content-Length: 5\r\n\r\n")) << head;
  EXPECT_NE(answer_text({}, {.keeps_alive = false}).find("Connection: close\r\n"), std::string::npos);
  EXPECT_NE(answer_text({}, {.is_version_1_0 = true}).find("Connection: keep-alive\r\n"), std::string::npos);
}

TEST(Upgrade, ProvesThatItIsAWebSocketServer) {
  // RFC 6455, section 1.3
  EXPECT_EQ(accept_key("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
}

TEST(Upgrade, AnotherVersionOrAKeyThatIsNoneIsRefused) {
  UpgradeHeaders headers{"keep-alive, Upgrade", "websocket", "13", "dGhlIHNhbXBsZSBub25jZQ=="};
  EXPECT_TRUE(wants_socket(headers));
  EXPECT_FALSE(upgrade_refusal(headers));
  headers.version = "8";
  EXPECT_EQ(upgrade_refusal(headers)->status, 426U);
  headers.version = "13, 13";
  EXPECT_EQ(upgrade_refusal(headers)->status, 426U);
  headers.version = "13";
  for (const char* key : {"", "short", "dGhlIHNhbXBsZSBub25jZQ=", "dGhlIHNhbXBsZSBub25jZQ==, x",
                          "dGhlIHNhbXBsZSBub25j\r\n=="}) {
    headers.key = key;
    EXPECT_EQ(upgrade_refusal(headers)->status, 400U) << key;
  }
  headers.upgrade = "h2c";
  EXPECT_FALSE(wants_socket(headers));
  EXPECT_FALSE(wants_socket({}));
}

}  // namespace
}  // namespace sinew::web
