// SPDX-License-Identifier: BSD-3-Clause
// The server on a real port of the loopback, and clients that mean ill.
#include "sinew/web/server.h"

#include <unistd.h>

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/web/request_parser.h"
#include "sinew/web/test/client.h"

namespace sinew::web {
namespace {

class ServerTest : public testing::Test {
 protected:
  void begin(Server::Options options = {}) {
    options.address = {.host = "127.0.0.1", .port = 0};
    server_ = std::make_unique<Server>(options, [this](const HttpRequest& request,
                                                       const Server::Answer& answer) {
      ++handled_;
      most_connections_ = std::max(most_connections_.load(), server_->connection_count());
      if (request.target == "/later")
        owed_.push_back(answer);
      else
        answer({.body = request.method + " " + request.target + " " + request.headers.host.value_or("-")});
      user_ = request.user;
    });
    ASSERT_TRUE(server_->listen());
    port_ = server_->address().port;
    server_->repeat([this] {
      const std::lock_guard lock(mutex_);
      if (look_) look_();
      return kMillisecond_ns;
    });
    thread_ = std::thread([this] { server_->run(); });
  }
  void TearDown() override {
    if (!thread_.joinable()) return;
    server_->stop();
    thread_.join();
  }

  /// From now on called again and again in the server's thread, from which alone it may be told things.
  void repeat(std::function<void()> look) {
    const std::lock_guard lock(mutex_);
    look_ = std::move(look);
  }

  std::string ask(const std::string& text) {
    Client client(port_);
    client.send(text);
    return client.receive();
  }

  std::mutex mutex_;
  std::function<void()> look_;
  std::vector<Server::Answer> owed_;
  std::atomic<int> handled_{0};
  std::atomic<std::size_t> most_connections_{0};
  std::unique_ptr<Server> server_;
  std::uint16_t port_ = 0;
  std::optional<std::uint32_t> user_;
  std::thread thread_;
};

const std::string kGet = "GET /x HTTP/1.1\r\nHost: me\r\nConnection: close\r\n\r\n";

TEST_F(ServerTest, AnswersWithWhatTheHandlerSaysAndTheHeadersThatMakeItSafe) {
  begin();
  const std::string answer = ask(kGet);
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 200 OK\r\n")) << answer;
  EXPECT_TRUE(answer.ends_with("\r\n\r\nGET /x me")) << answer;
  for (const char* header :
       {"X-Content-Type-Options: nosniff", "Cache-Control: no-store", "X-Frame-Options: DENY",
        "Content-Security-Policy: default-src 'none'", "Content-Length: 9"})
    EXPECT_NE(answer.find(header), std::string::npos) << header;
  EXPECT_EQ(answer.find("Access-Control-Allow"), std::string::npos);
}

TEST_F(ServerTest, TellsWhoseProgramAsks) {
  begin();
  ASSERT_TRUE(ask(kGet).ends_with("GET /x me"));
  TearDown();
  EXPECT_EQ(user_, geteuid());
}

TEST_F(ServerTest, OneConnectionServesManyRequestsAlsoSentAtOnce) {
  begin();
  Client client(port_);
  client.send("GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: b\r\n\r\n");
  const std::string answer = client.receive("GET /2 b");
  EXPECT_NE(answer.find("GET /1 a"), std::string::npos);
  client.send("HEAD /3 HTTP/1.1\r\nHost: c\r\nConnection: close\r\n\r\n");
  const std::string head = client.receive();
  EXPECT_NE(head.find("Content-Length: 9"), std::string::npos) << head;
  EXPECT_EQ(head.find("HEAD /3"), std::string::npos) << head;
}

TEST_F(ServerTest, AnswersMayComeLaterAndInAnyOrder) {
  begin();
  Client first(port_);
  Client second(port_);
  first.send("GET /later HTTP/1.1\r\nHost: a\r\n\r\n");
  while (handled_ < 1) std::this_thread::yield();
  second.send("GET /later HTTP/1.1\r\nHost: b\r\n\r\n");
  while (handled_ < 2) std::this_thread::yield();
  std::atomic<bool> is_told = false;
  repeat([&] {
    if (is_told.exchange(true)) return;
    owed_[1]({.body = "two"});
    owed_[0]({.body = "one"});
    owed_[0]({.body = "twice counts once"});
  });
  EXPECT_TRUE(second.receive("two").ends_with("two"));
  EXPECT_TRUE(first.receive("one").ends_with("one"));
  // before what the server's thread looks at goes
  TearDown();
}

TEST_F(ServerTest, WhoLeavesBeforeTheAnswerHurtsNobody) {
  begin();
  {
    Client gone(port_);
    gone.send("GET /later HTTP/1.1\r\nHost: a\r\n\r\n");
    while (handled_ < 1) std::this_thread::yield();
  }
  std::atomic<bool> is_told = false;
  repeat([&] {
    if (!is_told.exchange(true)) owed_[0]({.body = std::string(100000, 'x')});
  });
  while (!is_told) std::this_thread::yield();
  EXPECT_TRUE(ask(kGet).ends_with("GET /x me"));
  // before what the server's thread looks at goes
  TearDown();
}

TEST_F(ServerTest, WhatIsNoRequestIsToldSoAndDropped) {
  begin();
  for (const char* bytes :
       {"\r\n\r\n", "hello\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n",
        "GET / HTTP/1.1\r\nBad Header\r\n\r\n", "GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        "GET /\x01 HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"}) {
    const std::string answer = ask(std::string(bytes) + "\r\n\r\n");
    EXPECT_TRUE(answer.empty() || answer.starts_with("HTTP/1.1 400")) << bytes << " -> " << answer;
  }
  EXPECT_EQ(handled_, 0);
  EXPECT_TRUE(ask(kGet).ends_with("GET /x me"));
}

TEST_F(ServerTest, TooLargeIsRefusedBeforeItIsRead) {
  begin();
  EXPECT_EQ(ask("GET /" + std::string(9000, 'a') + " HTTP/1.1\r\nHost: a\r\n\r\n").find("200 OK"),
            std::string::npos);
  EXPECT_EQ(ask("GET / HTTP/1.1\r\nHost: a\r\nX: " + std::string(9000, 'a') + "\r\n\r\n").find("200 OK"),
            std::string::npos);
  EXPECT_EQ(ask("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 999999999999\r\n\r\n").find("200 OK"),
            std::string::npos);
  EXPECT_EQ(handled_, 0);
  EXPECT_TRUE(ask(kGet).ends_with("GET /x me"));
}

TEST_F(ServerTest, WhoSendsALetterNowAndThenIsNotWaitedFor) {
  begin({.request_within_ns = 200 * kMillisecond_ns});
  Client slow(port_);
  const std::string request = "GET /slow HTTP/1.1\r\nHost: a\r\nX-Slow: ";
  slow.send(request);
  // as long as it may, and then some: each letter in time, the whole too late
  for (int i = 0; i < 20; ++i) {
    slow.send("a");
    std::this_thread::sleep_for(std::chrono::milliseconds(25));
  }
  EXPECT_TRUE(slow.is_closed());
  EXPECT_EQ(handled_, 0);
}

TEST_F(ServerTest, FullOfIdlersItStillServesWhoComes) {
  begin({.most_connections = 4, .request_within_ns = 600 * kSecond_ns});
  std::vector<std::unique_ptr<Client>> idlers;
  for (int i = 0; i < 12; ++i) {
    idlers.push_back(std::make_unique<Client>(port_));
    idlers.back()->send("GET / HTT");
  }
  EXPECT_TRUE(ask(kGet).ends_with("GET /x me"));
  EXPECT_LE(most_connections_, 4U);
  EXPECT_TRUE(idlers.front()->is_closed());
}

TEST_F(ServerTest, WhenAllWaitForAnswersNobodyElseIsTaken) {
  begin({.most_connections = 2});
  Client first(port_);
  Client second(port_);
  for (Client* client : {&first, &second}) client->send("GET /later HTTP/1.1\r\nHost: a\r\n\r\n");
  while (handled_ < 2) std::this_thread::yield();
  Client third(port_);
  EXPECT_TRUE(third.is_closed());
  EXPECT_EQ(handled_, 2);
}

TEST_F(ServerTest, AnAnswerGivenTwiceIsNoneToTheNextRequest) {
  begin();
  Client client(port_);
  client.send("GET /later HTTP/1.1\r\nHost: a\r\n\r\n");
  while (handled_ < 1) std::this_thread::yield();
  std::atomic<int> turn = 0;
  repeat([&] {
    if (turn == 0) owed_[0]({.body = "one"});
    if (turn == 1 && handled_ == 2) {
      owed_[0]({.body = "one again"});
      owed_[1]({.body = "two"});
      turn = 2;
    }
  });
  EXPECT_TRUE(client.receive("one").ends_with("one"));
  turn = 1;
  client.send("GET /later HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_TRUE(client.receive("two").ends_with("two"));
  // before what the server's thread looks at goes
  TearDown();
}

TEST_F(ServerTest, ATakenPortIsRefusedInWordsAndMayBeTriedAgain) {
  begin();
  Server other({.address = {.host = "127.0.0.1", .port = port_}}, [](const auto&, const auto&) {});
  const Status refused = other.listen();
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("cannot listen at http://127.0.0.1:"), std::string::npos);
  EXPECT_NE(refused.error().message.find("in use"), std::string::npos) << refused.error().message;
  EXPECT_FALSE(other.is_listening());
  TearDown();
  server_.reset();
  EXPECT_TRUE(other.listen());
}

TEST_F(ServerTest, AHeaderSentTwiceIsNeitherOfTheTwo) {
  const auto request =
      http_request_from("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nSec-Fetch-Site: none\r\n\r\n");
  ASSERT_TRUE(request) << request.error().message;
  EXPECT_EQ(request->headers.host, "a, b");
  EXPECT_EQ(request->headers.fetch_site, "none");
  EXPECT_FALSE(request->headers.origin);
  EXPECT_FALSE(http_request_from("GET / HTTP/1.1\r\nHost: a"));
}

TEST_F(ServerTest, AServerThatEndsWhileAnswersAreOwedEndsWhole) {
  begin();
  Client client(port_);
  client.send("GET /later HTTP/1.1\r\nHost: a\r\n\r\n");
  while (handled_ < 1) std::this_thread::yield();
  TearDown();
  server_.reset();
  EXPECT_TRUE(client.is_closed());
  owed_[0]({.body = "nobody is there"});
}

}  // namespace
}  // namespace sinew::web
