// SPDX-License-Identifier: BSD-3-Clause
// Some requests are answered at once, whatever the others take.
#include <poll.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "sinew/web/test/client.h"
#include "sinew/web/test/echo_server.h"

namespace sinew::web {
namespace {

class AtOnceTest : public EchoServerTest {
 protected:
  AtOnceTest() {
    Server::Options options;
    options.most_connections = 45;
    options.at_once =
        Server::Options::AtOnce{.request = [this](const HttpRequest& request) -> std::optional<HttpAnswer> {
                                  if (request.target != "/stop") return std::nullopt;
                                  ++stops_;
                                  return HttpAnswer{.body = "stopped"};
                                },
                                .message =
                                    [this](const HttpRequest& opened_by, const SocketMessage& message) {
                                      if (message.bytes != "stop") return false;
                                      EXPECT_EQ(opened_by.target, "/live");
                                      ++stops_;
                                      return true;
                                    }};
    prepare(options);
    // the thread that serves stands still until it is let go
    server_->repeat([this] {
      if (may_hold_) {
        is_held_ = true;
        gate_.get_future().wait();
        may_hold_ = false;
      }
      return kMillisecond_ns;
    });
    run();
  }
  ~AtOnceTest() override { let_go(); }
  void TearDown() override {
    let_go();
    EchoServerTest::TearDown();
  }
  void hold() {
    may_hold_ = true;
    wait_for([this] { return is_held_.load(); });
  }
  void let_go() {
    if (is_held_.exchange(false)) gate_.set_value();
  }
  std::string ask(const std::string& target) {
    Client client(port_);
    client.send("GET " + target + " HTTP/1.1\r\nHost: me\r\nConnection: close\r\n\r\n");
    return client.receive();
  }

  std::atomic<int> stops_{0};
  std::atomic<bool> may_hold_{false};
  std::atomic<bool> is_held_{false};
  std::promise<void> gate_;
};

TEST_F(AtOnceTest, AStopIsAnsweredWhileAllElseStandsStill) {
  SocketClient socket(port_);
  socket.say("hello");
  EXPECT_EQ(socket.frame()->payload, "hello");
  hold();
  // a great many others wait already
  std::vector<std::unique_ptr<Client>> waiting;
  for (int i = 0; i < 40; ++i) {
    waiting.push_back(std::make_unique<Client>(port_));
    waiting.back()->send("GET /slow HTTP/1.1\r\nHost: me\r\nConnection: close\r\n\r\n");
  }
  socket.say("hello again");
  EXPECT_NE(ask("/stop").find("stopped"), std::string::npos);
  socket.say("stop");
  wait_for([this] { return stops_ == 2; });
  EXPECT_EQ(messages_, 1) << "the other message waits";
  let_go();
  // and nothing of what waited is lost
  for (const auto& client : waiting) EXPECT_NE(client->receive().find("page /slow"), std::string::npos);
  EXPECT_EQ(socket.frame()->payload, "hello again");
  EXPECT_EQ(messages_, 2);
}

TEST_F(AtOnceTest, AStopFindsAPlaceWhenAllPlacesAreTaken) {
  hold();
  std::vector<std::unique_ptr<Client>> waiting;
  for (int i = 0; i < 55; ++i) {
    waiting.push_back(std::make_unique<Client>(port_));
    waiting.back()->send("GET /slow HTTP/1.1\r\nHost: me\r\nConnection: close\r\n\r\n");
  }
  // 45 wait, all others are told so, and whoever stops the robot stops it
  const auto is_answered = [](const std::unique_ptr<Client>& client) {
    pollfd ready{.fd = client->descriptor(), .events = POLLIN, .revents = 0};
    return poll(&ready, 1, 0) == 1;
  };
  wait_for([&] { return std::ranges::count_if(waiting, is_answered) == 10; });
  for (int i = 0; i < 30; ++i) EXPECT_NE(ask("/stop").find("stopped"), std::string::npos);
  let_go();
  int served = 0;
  for (const auto& client : waiting) {
    const std::string answer = client->receive();
    served += answer.find("page /slow") != std::string::npos ? 1 : 0;
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 200") || answer.starts_with("HTTP/1.1 503")) << answer;
  }
  EXPECT_EQ(served, 45);
  EXPECT_NE(ask("/more").find("page /more"), std::string::npos);
}

TEST_F(AtOnceTest, MessagesKeepTheirOrderAndSocketsOpenAndCloseInTurn) {
  for (int round = 0; round < 20; ++round) {
    SocketClient socket(port_, "/greets");
    EXPECT_EQ(socket.frame()->payload, "welcome");
    for (int i = 0; i < 20; ++i) socket.say(std::to_string(i));
    for (int i = 0; i < 20; ++i) EXPECT_EQ(socket.frame()->payload, std::to_string(i));
  }
  SocketClient refused(port_, "/refused");
  EXPECT_NE(refused.answer().find("403"), std::string::npos) << refused.answer();
  SocketClient closed(port_);
  closed.say("close");
  EXPECT_EQ(closed.close_code(), 4001U);
  wait_for([this] { return closed_ == opened_; });
}

TEST_F(AtOnceTest, WhoSendsMoreThanIsServedIsDropped) {
  SocketClient socket(port_);
  hold();
  // 16 MiB may wait in all
  for (int i = 0; i < 300; ++i) socket.say(std::string(60'000, 'a'));
  EXPECT_EQ(socket.close_code(), 1008U);
  EXPECT_NE(ask("/stop").find("stopped"), std::string::npos);
}

TEST_F(AtOnceTest, AServerThatEndsWhileMuchWaitsEndsWhole) {
  SocketClient socket(port_);
  hold();
  Client waiting(port_);
  waiting.send("GET /x HTTP/1.1\r\nHost: me\r\n\r\n");
  socket.say("all");
  std::thread ending([this] { server_->stop(); });
  let_go();
  ending.join();
  EXPECT_EQ(socket.close_code(), 1001U);
}

class StrangersTest : public EchoServerTest {};

// who has logged in finds a place, however many have not
TEST_F(StrangersTest, SocketsOfStrangersCannotTakeAllPlaces) {
  begin({.most_sockets = 6, .most_unknown_sockets = 3});
  std::vector<std::unique_ptr<SocketClient>> strangers;
  for (int i = 0; i < 3; ++i) {
    strangers.push_back(std::make_unique<SocketClient>(port_, "/stranger"));
    EXPECT_TRUE(strangers.back()->answer().starts_with("HTTP/1.1 101")) << strangers.back()->answer();
  }
  SocketClient one_more(port_, "/stranger");
  EXPECT_TRUE(one_more.answer().starts_with("HTTP/1.1 503")) << one_more.answer();
  SocketClient known(port_);
  EXPECT_TRUE(known.answer().starts_with("HTTP/1.1 101")) << known.answer();
  strangers.pop_back();
  // its place is free when the server has seen that it is gone
  wait_for([this] { return SocketClient(port_, "/stranger").answer().starts_with("HTTP/1.1 101"); });
}

}  // namespace
}  // namespace sinew::web
