// SPDX-License-Identifier: BSD-3-Clause
// WebSockets of the real server on a real port of the loopback.
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "sinew/web/server.h"
#include "sinew/web/test/client.h"
#include "sinew/web/test/echo_server.h"

namespace sinew::web {
namespace {

using SocketTest = EchoServerTest;

TEST_F(SocketTest, OpensAndSendsBothKindsBothWays) {
  begin();
  SocketClient client(port_);
  EXPECT_TRUE(client.answer().starts_with("HTTP/1.1 101 Switching Protocols\r\n")) << client.answer();
  EXPECT_NE(client.answer().find("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"),
            std::string::npos);
  EXPECT_EQ(client.answer().find("Sec-WebSocket-Protocol"), std::string::npos);
  client.say("gr\xc3\xbc\xc3\x9f dich");
  const auto text = client.frame();
  ASSERT_TRUE(text);
  EXPECT_EQ(text->kind, 1U);
  EXPECT_EQ(text->payload, "gr\xc3\xbc\xc3\x9f dich");
  const std::string many(60000, '\xfe');
  client.send(ClientFrame{.kind = 2, .payload = many}.bytes());
  const auto binary = client.frame();
  ASSERT_TRUE(binary);
  EXPECT_EQ(binary->kind, 2U);
  EXPECT_EQ(binary->payload, many);
}

TEST_F(SocketTest, NamesTheSubprotocolAndGreetsAfterTheAnswer) {
  begin();
  SocketClient client(port_, "/greets", "Sec-WebSocket-Protocol: one, two\r\n");
  EXPECT_NE(client.answer().find("Sec-WebSocket-Protocol: two\r\n"), std::string::npos);
  EXPECT_EQ(client.frame()->payload, "welcome");
}

TEST_F(SocketTest, WhoMayNotIsAnsweredWhy) {
  begin();
  SocketClient refused(port_, "/refused");
  EXPECT_TRUE(refused.answer().starts_with("HTTP/1.1 403 Forbidden\r\n"));
  EXPECT_EQ(refused.receive(), "no");
  Client old(port_);
  old.send(
      "GET /live HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: "
      "8\r\n\r\n");
  const std::string answer = old.receive();
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 426 Upgrade Required\r\n")) << answer;
  EXPECT_NE(answer.find("Sec-WebSocket-Version: 13"), std::string::npos);
  EXPECT_EQ(opened_, 0);
}

TEST_F(SocketTest, PagesAreStillServedOnTheSamePort) {
  begin({.most_connections = 1});
  SocketClient client(port_);
  // the socket holds no place of a page
  Client page(port_);
  page.send("GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  EXPECT_TRUE(page.receive().ends_with("page /x"));
  client.say("still");
  EXPECT_EQ(client.frame()->payload, "still");
}

TEST_F(SocketTest, FramesThatComeWithTheRequestAreNotLost) {
  begin();
  Client client(port_);
  client.send(
      "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: "
      "13\r\n"
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n" +
      ClientFrame{.payload = "early"}.bytes());
  EXPECT_TRUE(
      client.receive("early").ends_with("\r\n\r\n\x81\x05"
                                        "early"));
}

TEST_F(SocketTest, IsClosedByEitherSideAndBothAreTold) {
  begin();
  SocketClient first(port_);
  first.send(ClientFrame{.kind = 8,
                         .payload = "\x03\xe8"
                                    "bye"}
                 .bytes());
  EXPECT_EQ(first.close_code(), 1000U);
  EXPECT_TRUE(first.is_closed());
  SocketClient second(port_);
  second.say("close");
  EXPECT_EQ(second.frame()->payload, "last words");
  const auto farewell = second.frame();
  ASSERT_TRUE(farewell);
  EXPECT_EQ(farewell->code(), 4001U);
  EXPECT_EQ(farewell->payload.substr(2), "as you wish");
  // nothing is told to the handler any more
  second.say("too late");
  second.send(ClientFrame{.kind = 8, .payload = "\x0f\xa1"}.bytes());
  EXPECT_TRUE(second.is_closed());
  wait_for([&] { return closed_ == 2; });
  EXPECT_EQ(messages_, 1);
  SocketClient third(port_);
  third.send(ClientFrame{.kind = 8}.bytes());
  EXPECT_EQ(third.frame()->payload, "");
}

TEST_F(SocketTest, SocketsMayGoWhileAllAreSentTo) {
  begin();
  SocketClient first(port_);
  SocketClient second(port_);
  wait_for([&] { return opened_ == 2; });
  first.say("all");
  EXPECT_EQ(first.frame()->payload, "to all");
  EXPECT_EQ(second.frame()->payload, "to all");
  first.say("close all");
  EXPECT_EQ(first.close_code(), 1000U);
  EXPECT_EQ(second.close_code(), 1000U);
  wait_for([&] { return closed_ == 2; });
}

TEST_F(SocketTest, AnswersPingsAndSendsItsOwn) {
  begin({.socket = {.ping_every_ns = kMillisecond_ns}});
  SocketClient client(port_);
  client.send(ClientFrame{.kind = 9, .payload = "are you there"}.bytes());
  auto next = client.frame();
  bool has_ping = false;
  bool has_pong = false;
  while (next && !(has_ping && has_pong)) {
    has_ping = has_ping || next->kind == 9;
    has_pong = has_pong || (next->kind == 10 && next->payload == "are you there");
    next = client.frame();
  }
  EXPECT_TRUE(has_ping && has_pong);
}

TEST_F(SocketTest, WhoIsSilentIsGoneAndWhoAnswersPingsIsNot) {
  begin({.socket = {.ping_every_ns = 100 * kMillisecond_ns, .gone_after_ns = 1500 * kMillisecond_ns}});
  SocketClient silent(port_);
  SocketClient alive(port_);
  wait_for([&] { return opened_ == 2; });
  while (closed_ == 0) {
    const auto next = alive.frame();
    ASSERT_TRUE(next);
    alive.send(ClientFrame{.kind = 10}.bytes());
  }
  EXPECT_EQ(silent.close_code(), 0U);
  alive.say("here");
  for (auto next = alive.frame(); next && next->payload != "here"; next = alive.frame()) continue;
  EXPECT_EQ(closed_, 1);
}

TEST_F(SocketTest, WhoLeavesWithoutAWordIsToldOfOnce) {
  begin();
  { SocketClient gone(port_); }
  wait_for([&] { return closed_ == 1; });
  SocketClient half(port_);
  half.say("echo");
  half.end_writing();
  wait_for([&] { return closed_ == 2; });
}

TEST_F(SocketTest, AServerThatEndsSaysSo) {
  begin();
  SocketClient client(port_);
  wait_for([&] { return opened_ == 1; });
  end();
  EXPECT_EQ(client.close_code(), 1001U);
  EXPECT_EQ(closed_, 1);
}

TEST_F(SocketTest, WithoutAHandlerAnUpgradeIsAnOrdinaryRequest) {
  Server server({.address = {.host = "127.0.0.1", .port = 0}},
                [](const HttpRequest&, const Server::Answer& answer) { answer({.body = "page"}); });
  ASSERT_TRUE(server.listen());
  std::thread thread([&] { server.run(); });
  SocketClient client(server.address().port);
  EXPECT_TRUE(client.answer().starts_with("HTTP/1.1 200 OK\r\n"));
  server.stop();
  thread.join();
}

}  // namespace
}  // namespace sinew::web
