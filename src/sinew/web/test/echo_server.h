// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "sinew/web/server.h"
#include "sinew/web/visitor.h"

namespace sinew::web {

/// A server whose sockets echo, and do what the words they are told say.
class EchoServerTest : public testing::Test {
 protected:
  void begin(const Server::Options& options = {}) {
    prepare(options);
    run();
  }
  /// Listens, and serves from run() on.
  void prepare(Server::Options options) {
    options.address = {.host = "127.0.0.1", .port = 0};
    options.notice = [this](const std::string& line) {
      ++notices_;
      last_notice_ = line;
    };
    server_ = std::make_unique<Server>(options, [](const HttpRequest& request, const Server::Answer& answer) {
      // more than the system takes for a client that does not read
      if (request.target == "/big") return answer({.body = std::string(32U << 20U, 'x')});
      answer({.body = "page " + request.target});
    });
    server_->on_sockets({
        .may_open = [](const HttpRequest& request) -> SocketVerdict {
          if (const Status known = check_mover(request.headers); !known)
            return {.refusal = HttpAnswer{.status = 403, .body = known.error().message}};
          if (request.target == "/refused") return {.refusal = HttpAnswer{.status = 403, .body = "no"}};
          return {.subprotocol = request.headers.websocket_protocol ? "two" : "",
                  .is_known = request.target != "/stranger"};
        },
        .opened =
            [this](SocketNumber number, const HttpRequest& request) {
              open_.insert(number);
              ++opened_;
              if (request.target == "/greets") server_->send(number, {.bytes = "welcome"});
            },
        .message = [this](SocketNumber number, const SocketMessage& message) { obey(number, message); },
        .closed =
            [this](SocketNumber number) {
              EXPECT_EQ(open_.erase(number), 1U) << "told once";
              ++closed_;
            },
    });
    ASSERT_TRUE(server_->listen());
    port_ = server_->address().port;
  }
  void run() {
    thread_ = std::thread([this] { server_->run(); });
  }
  void obey(SocketNumber number, const SocketMessage& message) {
    EXPECT_TRUE(open_.contains(number));
    ++messages_;
    if (message.bytes == "close") {
      server_->send(number, {.bytes = "last words"});
      return server_->close(number, 4001, "as you wish");
    }
    if (message.bytes.starts_with("flood ")) return flood(number, message.bytes);
    if (message.bytes == "all")
      for (const SocketNumber each : open_) server_->send(each, {.bytes = "to all"});
    else if (message.bytes == "close all")
      for (const SocketNumber each : open_) server_->close(each, 1000, "");
    else
      server_->send(number, message);
  }
  // "flood COUNT SIZE STREAM": that many messages of that size to all others, each with its number in front.
  void flood(SocketNumber number, const std::string& words) {
    std::istringstream text(words.substr(6));
    std::size_t count = 0;
    std::size_t size = 0;
    std::uint32_t stream = 0;
    text >> count >> size >> stream;
    for (std::size_t i = 0; i < count; ++i)
      for (const SocketNumber each : open_)
        if (each != number)
          server_->send(each, {.bytes = std::to_string(i) + std::string(size, ' ')}, stream);
    server_->send(number, {.bytes = "flooded"});
  }
  void end() {
    if (!thread_.joinable()) return;
    server_->stop();
    thread_.join();
  }
  void TearDown() override {
    end();
    EXPECT_EQ(opened_, closed_);
    server_.reset();
  }
  static void wait_for(const std::function<bool()>& is_so) {
    while (!is_so()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  std::unique_ptr<Server> server_;
  std::uint16_t port_ = 0;
  std::thread thread_;
  std::set<SocketNumber> open_;  // of the server's thread
  std::atomic<int> opened_ = 0;
  std::atomic<int> closed_ = 0;
  std::atomic<int> messages_ = 0;
  std::atomic<int> notices_ = 0;
  std::string last_notice_;  // of the server's thread
};

}  // namespace sinew::web
