// SPDX-License-Identifier: BSD-3-Clause
// One WebSocket on a wire without a network, and with a time of the test's own.
#include "sinew/web/open_socket.h"

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/base/time.h"
#include "sinew/web/test/client.h"
#include "sinew/web/test/memory_wire.h"

namespace sinew::web {
namespace {

class OpenSocketTest : public testing::Test {
 protected:
  void SetUp() override {
    begin_ns_ = monotonic_now_ns();
    const auto socket = std::make_shared<OpenSocket>(
        wire_, "answer ", SocketBounds{},
        OpenSocket::Events{
            .message = [this](const SocketMessage& message) { messages_.push_back(message.bytes); },
            .over =
                [this](CloseCode code, std::string_view wrong) {
                  ++over_;
                  code_ = code;
                  wrong_ = wrong;
                },
            .gone = [this] { is_gone_ = true; }});
    socket->begin("");
    socket_ = socket;
  }
  void TearDown() override {
    wire_->lose();
    EXPECT_TRUE(is_gone_);
    EXPECT_EQ(over_, 1);
  }
  void look_at(double seconds) {
    if (const auto socket = socket_.lock()) socket->look(begin_ns_ + nanoseconds_from_seconds(seconds));
    wire_->settle();
  }
  void send(const std::string& text, std::uint32_t stream) { socket_.lock()->send({.bytes = text}, stream); }
  void take_all() {
    while (wire_->client_takes()) continue;
  }

  std::shared_ptr<MemoryWire> wire_ = std::make_shared<MemoryWire>();
  std::weak_ptr<OpenSocket> socket_;
  std::int64_t begin_ns_ = 0;
  std::vector<std::string> messages_;
  int over_ = 0;
  CloseCode code_ = CloseCode::Normal;
  std::string wrong_;
  bool is_gone_ = false;
};

TEST_F(OpenSocketTest, PingsEveryFiveSecondsAndGivesUpAfterFifteen) {
  take_all();
  look_at(4.9);
  take_all();
  EXPECT_EQ(wire_->taken(), "answer ");
  for (const double seconds : {5.1, 5.6, 9.0, 10.2, 14.9}) {
    look_at(seconds);
    take_all();
  }
  EXPECT_EQ(wire_->taken(), std::string("answer \x89\0\x89\0", 11));
  EXPECT_EQ(over_, 0);
  look_at(15.1);
  EXPECT_TRUE(wire_->is_closed());
  EXPECT_EQ(wrong_, "it is silent");
}

TEST_F(OpenSocketTest, WhoDoesNotTakeAMessageForTenSecondsIsCut) {
  take_all();
  send("news", 1);
  send("older", 1);
  send("newest", 1);
  wire_->client_sends(ClientFrame{.kind = 10}.bytes());
  look_at(9.9);
  EXPECT_EQ(over_, 0);
  look_at(10.5);
  EXPECT_EQ(over_, 1);
  EXPECT_EQ(wrong_, "it does not read");
}

TEST_F(OpenSocketTest, WhatHasNotBegunToGoOutIsReplacedAndTheRestKeepsItsOrder) {
  send("live 1", 1);
  send("event 1", 0);
  send("live 2", 1);
  send("event 2", 0);
  take_all();
  EXPECT_EQ(wire_->taken(),
            "answer \x81\x06live 2\x81\x07"
            "event 1\x81\x07"
            "event 2");
}

TEST_F(OpenSocketTest, PongsComeBeforeWhatWaitsAndOnlyToTheLastPing) {
  send("first", 0);
  send("second", 0);
  for (const char* word : {"a", "b", "c"})
    wire_->client_sends(ClientFrame{.kind = 9, .payload = word}.bytes());
  take_all();
  EXPECT_EQ(wire_->taken(),
            "answer \x8a\x01"
            "c\x81\x05"
            "first\x81\x06second");
}

TEST_F(OpenSocketTest, AFarewellThatIsNotAnsweredEndsAllTheSame) {
  send("last", 0);
  socket_.lock()->close(CloseCode::Normal, "");
  EXPECT_EQ(over_, 1);
  send("too late", 0);
  take_all();
  EXPECT_EQ(wire_->taken(), "answer \x81\x04last\x88\x02\x03\xe8");
  look_at(1.5);
  EXPECT_FALSE(wire_->is_closed());
  look_at(2.5);
  EXPECT_TRUE(wire_->is_closed());
}

TEST_F(OpenSocketTest, WhatComesAfterAMistakeIsNotUnderstood) {
  wire_->client_sends(ClientFrame{.payload = "one"}.bytes() + ClientFrame{.kind = 5}.bytes() +
                      ClientFrame{.payload = "two"}.bytes());
  wire_->client_sends(ClientFrame{.payload = "three"}.bytes());
  EXPECT_EQ(messages_, (std::vector<std::string>{"one"}));
  EXPECT_EQ(code_, CloseCode::Protocol);
  take_all();
  EXPECT_NE(wire_->taken().find("no such kind of frame"), std::string::npos);
}

}  // namespace
}  // namespace sinew::web
