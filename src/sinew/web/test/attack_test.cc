// SPDX-License-Identifier: BSD-3-Clause
// Clients that mean ill, against the real server on a real port: each is refused, and nobody else notices.
#include <malloc.h>
#include <sys/socket.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/web/test/client.h"
#include "sinew/web/test/echo_server.h"

namespace sinew::web {
namespace {

const std::string kUpgrade =
    "GET /live HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: "
    "13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

class AttackTest : public EchoServerTest {
 protected:
  /// Whether others are served as if nothing had happened.
  bool serves() {
    Client page(port_);
    page.send("GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    SocketClient socket(port_);
    socket.say("hello");
    const auto answer = socket.frame();
    return page.receive().ends_with("page /x") && answer && answer->payload == "hello";
  }
  /// The code with which a client is sent away that sends these bytes.
  unsigned code_for(const std::string& bytes) {
    SocketClient client(port_);
    client.send(bytes);
    return client.close_code();
  }
  static std::size_t open_files() {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {}));
  }
  /// [bytes] Of memory that this process really has.
  static std::size_t memory() {
    malloc_trim(0);
    std::size_t all = 0;
    std::size_t resident = 0;
    std::ifstream("/proc/self/statm") >> all >> resident;
    return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  }
};

TEST_F(AttackTest, AnUpgradeThatComesALetterAtATimeIsNotWaitedFor) {
  begin({.request_within_ns = 200 * kMillisecond_ns});
  Client slow(port_);
  for (std::size_t i = 0; i < 40 && slow.send(kUpgrade.substr(i, 1)); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(15));
  EXPECT_TRUE(slow.is_closed());
  EXPECT_EQ(opened_, 0);
}

TEST_F(AttackTest, AFrameWithoutEndDoesNotCountAsBeingAlive) {
  begin({.socket = {.ping_every_ns = 600 * kSecond_ns, .gone_after_ns = 300 * kMillisecond_ns}});
  SocketClient slow(port_);
  const std::string frame = ClientFrame{.payload = std::string(30000, 'x')}.bytes();
  for (std::size_t i = 0; closed_ == 0; ++i) {
    slow.send(frame.substr(i % frame.size(), 1));
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(messages_, 0);
  end();
  EXPECT_EQ(last_notice_, "127.0.0.1: socket closed: it is silent");
}

TEST_F(AttackTest, IdlersOfAllKindsKeepNobodyOut) {
  begin({.most_connections = 8, .request_within_ns = 600 * kSecond_ns});
  std::vector<std::unique_ptr<Client>> idlers;
  for (int i = 0; i < 64; ++i) {
    idlers.push_back(std::make_unique<Client>(port_));
    idlers.back()->send(kUpgrade.substr(0, static_cast<std::size_t>(i)));
  }
  EXPECT_TRUE(serves());
}

TEST_F(AttackTest, WhoNeverTakesItsAnswerKeepsNobodyOut) {
  begin({.most_connections = 3, .answer_within_ns = 600 * kSecond_ns, .most_answer_bytes = 256U << 20U});
  std::vector<std::unique_ptr<Client>> takers;
  for (int i = 0; i < 3; ++i) {
    takers.push_back(std::make_unique<Client>(port_));
    takers.back()->send("GET /big HTTP/1.1\r\nHost: a\r\n\r\n");
    // its answer has begun
    EXPECT_EQ(takers.back()->receive_exactly(12), "HTTP/1.1 200");
  }
  EXPECT_TRUE(serves());
  EXPECT_LT(takers.front()->receive().size(), 32U << 20U);
}

// whoever asks for much and takes nothing of it fills the memory only so far
TEST_F(AttackTest, AnswersInSumAreBoundedAndTheirRoomIsGivenBack) {
  const std::string ask = "GET /big HTTP/1.1\r\nHost: a\r\n\r\n";
  const auto status = [&](Client& client) {
    client.send(ask);
    return client.receive_exactly(12).substr(9);
  };
  begin({.answer_within_ns = 600 * kSecond_ns, .most_answer_bytes = 80U << 20U});
  auto first = std::make_unique<Client>(port_);
  auto second = std::make_unique<Client>(port_);
  EXPECT_EQ(status(*first), "200");
  EXPECT_EQ(status(*second), "200");
  for (int i = 0; i < 3; ++i) {
    Client third(port_);
    EXPECT_EQ(status(third), "503");
    EXPECT_NE(third.receive("\r\n\r\n").find("Retry-After"), std::string::npos);
    EXPECT_TRUE(serves()) << "what is small goes on";
  }
  // one that is taken makes room, and so does one whose client has gone
  EXPECT_GT(first->receive_exactly(32U << 20U).size(), 1U << 20U);
  second.reset();
  wait_for([&] {
    Client again(port_);
    return status(again) == "200";
  });
}

// one answer alone may be larger than the bound: else it could never be sent
TEST_F(AttackTest, OneLargeAnswerIsAlwaysSent) {
  begin({.most_answer_bytes = 1U << 20U});
  Client client(port_);
  client.send("GET /big HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  EXPECT_GT(client.receive().size(), 32U << 20U);
}

TEST_F(AttackTest, WhatBreaksTheRulesOfFramesIsClosedWithTheRightCode) {
  begin();
  EXPECT_EQ(code_for(ClientFrame{.payload = "x", .is_masked = false}.bytes()), 1002U);
  EXPECT_EQ(code_for(ClientFrame{.payload = "x", .reserved = 4}.bytes()), 1002U);
  EXPECT_EQ(code_for(ClientFrame{.kind = 3}.bytes()), 1002U);
  EXPECT_EQ(code_for(ClientFrame{.kind = 0, .payload = "of nothing"}.bytes()), 1002U);
  EXPECT_EQ(code_for(ClientFrame{.kind = 9, .payload = std::string(200, 'x')}.bytes()), 1002U);
  EXPECT_EQ(code_for(ClientFrame{.kind = 8, .payload = "\x03\xed"}.bytes()), 1002U);
  EXPECT_EQ(code_for(ClientFrame{.payload = "\xc0\xaf"}.bytes()), 1007U);
  EXPECT_EQ(code_for(ClientFrame{.payload = "\xe2\x82"}.bytes()), 1007U);
  EXPECT_EQ(code_for("GET / HTTP/1.1\r\n\r\n"), 1002U);
  EXPECT_EQ(messages_, 0);
  EXPECT_TRUE(serves());
}

TEST_F(AttackTest, WhatIsTooBigIsClosedBeforeItHasCome) {
  begin();
  EXPECT_EQ(code_for(ClientFrame{.kind = 2, .payload = std::string(65537, 'x')}.bytes().substr(0, 14)),
            1009U);
  EXPECT_EQ(code_for(std::string("\x82\xff\x7f\xff\xff\xff\xff\xff\xff\xff", 10) + "mask"), 1009U);
  const std::string half(40000, 'x');
  EXPECT_EQ(code_for(ClientFrame{.kind = 2, .payload = half, .is_last = false}.bytes() +
                     ClientFrame{.kind = 0, .payload = half}.bytes()),
            1009U);
  // who goes on sending all of it reads the reason nevertheless
  EXPECT_EQ(code_for(ClientFrame{.kind = 2, .payload = std::string(3000000, 'x')}.bytes()), 1009U);
  EXPECT_EQ(messages_, 0);
  EXPECT_TRUE(serves());
}

TEST_F(AttackTest, FloodsOfSmallFramesAreCountedWhateverTheirKind) {
  begin();
  const auto many = [](const ClientFrame& frame) {
    std::string all;
    for (int i = 0; i < 2000; ++i) all += frame.bytes();
    return all;
  };
  EXPECT_EQ(code_for(many({.kind = 9})), 1008U);
  EXPECT_EQ(code_for(many({.kind = 10})), 1008U);
  EXPECT_EQ(code_for(many({.kind = 2, .payload = "x"})), 1008U);
  EXPECT_EQ(code_for(ClientFrame{.kind = 2, .is_last = false}.bytes() + many({.kind = 0, .is_last = false})),
            1008U);
  EXPECT_LE(messages_, 500);
  EXPECT_TRUE(serves());
}

TEST_F(AttackTest, APageOfAnotherOriginGetsNoSocket) {
  begin();
  SocketClient strange(port_, "/live", "Origin: http://evil.example\r\n");
  EXPECT_TRUE(strange.answer().starts_with("HTTP/1.1 403 ")) << strange.answer();
  SocketClient framed(port_, "/live", "Sec-Fetch-Site: cross-site\r\n");
  EXPECT_TRUE(framed.answer().starts_with("HTTP/1.1 403 "));
  SocketClient twice(port_, "/live", "Origin: http://a\r\nOrigin: http://evil.example\r\n");
  EXPECT_TRUE(twice.answer().starts_with("HTTP/1.1 403 "));
  EXPECT_EQ(opened_, 0);
  SocketClient own(port_, "/live", "Origin: http://a\r\nSec-Fetch-Site: same-origin\r\n");
  EXPECT_TRUE(own.answer().starts_with("HTTP/1.1 101 "));
}

TEST_F(AttackTest, SocketsAreCountedAndTheirPlacesGivenBack) {
  begin({.most_sockets = 3});
  std::vector<std::unique_ptr<SocketClient>> all;
  for (int i = 0; i < 3; ++i) all.push_back(std::make_unique<SocketClient>(port_));
  SocketClient late(port_);
  EXPECT_TRUE(late.answer().starts_with("HTTP/1.1 503 ")) << late.answer();
  EXPECT_NE(late.answer().find("Retry-After: 5\r\n"), std::string::npos);
  all.pop_back();
  wait_for([&] { return closed_ == 1; });
  wait_for([&] { return SocketClient(port_).answer().starts_with("HTTP/1.1 101 "); });
}

TEST_F(AttackTest, AReaderThatStopsIsDroppedWhenTooMuchWaitsAndNobodyElseNotices) {
  begin();
  SocketClient stuck(port_);
  SocketClient other(port_);
  SocketClient teller(port_);
  wait_for([&] { return opened_ == 3; });
  // more than the system keeps for who does not read, in order
  int rounds = 0;
  for (; closed_ == 0; ++rounds) {
    teller.say("flood 10 65536 0");
    for (int i = 0; i < 10; ++i) {
      const auto message = other.frame();
      ASSERT_TRUE(message);
      ASSERT_TRUE(message->payload.starts_with(std::to_string(i) + " "));
    }
    ASSERT_EQ(teller.frame()->payload, "flooded");
  }
  // what the system had taken comes, then the end; no farewell, since there was no room for it, or 1008
  const unsigned code = stuck.close_code();
  EXPECT_TRUE(code == 0 || code == 1008) << code;
  EXPECT_EQ(closed_, 1);
  end();
  EXPECT_EQ(last_notice_, "127.0.0.1: socket closed: too much waits to be read");
}

TEST_F(AttackTest, AReaderThatStopsHoldsOneMessageOfAStreamAndIsDroppedInTime) {
  begin({.socket = {.take_within_ns = 500 * kMillisecond_ns}});
  SocketClient stuck(port_);
  SocketClient other(port_);
  SocketClient teller(port_);
  wait_for([&] { return opened_ == 3; });
  while (closed_ == 0) {
    teller.say("flood 20 65536 1");
    // the last one counts, whatever was left out before it
    for (auto message = other.frame(); !message->payload.starts_with("19 "); message = other.frame())
      ASSERT_TRUE(message);
    ASSERT_EQ(teller.frame()->payload, "flooded");
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_EQ(closed_, 1);
  EXPECT_EQ(stuck.close_code(), 0U);
  end();
  EXPECT_EQ(last_notice_, "127.0.0.1: socket closed: it does not read");
}

TEST_F(AttackTest, BodiesAreBoundedAlsoInChunksAndLargeOnesByLeave) {
  begin({.large_bodies = [](const HttpRequest& head) {
    return head.target == "/upload" && head.body.empty();
  }});
  const auto ask = [&](const std::string& target, const std::string& rest) {
    Client client(port_);
    client.send("POST " + target + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n" + rest);
    return client.receive().substr(0, 12);
  };
  const auto chunked = [](std::size_t count) {
    std::string text = "Transfer-Encoding: chunked\r\n\r\n";
    for (std::size_t i = 0; i < count; ++i) text += "1000\r\n" + std::string(0x1000, 'x') + "\r\n";
    return text + "0\r\n\r\n";
  };
  EXPECT_EQ(ask("/", "Content-Length: 65536\r\n\r\n" + std::string(65536, 'x')), "HTTP/1.1 200");
  EXPECT_EQ(ask("/", "Content-Length: 65537\r\n\r\n" + std::string(65537, 'x')), "HTTP/1.1 413");
  EXPECT_EQ(ask("/", chunked(16)), "HTTP/1.1 200");
  EXPECT_EQ(ask("/", chunked(17)), "HTTP/1.1 413");
  EXPECT_EQ(ask("/", "Transfer-Encoding: chunked\r\n\r\nfffffffffffffff\r\n"), "HTTP/1.1 413");
  EXPECT_EQ(ask("/upload", "Content-Length: 3000000\r\n\r\n" + std::string(3000000, 'x')), "HTTP/1.1 200");
  EXPECT_EQ(ask("/upload", chunked(1000)), "HTTP/1.1 200");
  EXPECT_EQ(ask("/upload", "Content-Length: 16777217\r\n\r\n"), "HTTP/1.1 413");
  // two at a time
  Client first(port_);
  Client second(port_);
  for (Client* client : {&first, &second}) {
    client->send(
        "POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\nExpect: 100-continue\r\n\r\n");
    EXPECT_EQ(client->receive_exactly(25), "HTTP/1.1 100 Continue\r\n\r\n");
  }
  EXPECT_EQ(ask("/upload", "Content-Length: 100000\r\n\r\n"), "HTTP/1.1 413");
  first.send(std::string(100000, 'x'));
  EXPECT_EQ(first.receive("page /upload").substr(0, 12), "HTTP/1.1 200");
  EXPECT_EQ(ask("/upload", "Content-Length: 100000\r\n\r\n" + std::string(100000, 'x')), "HTTP/1.1 200");
}

TEST_F(AttackTest, RubbishOfAllKindsLeavesTheServerAsItWas) {
  begin();
  std::mt19937 random(3);
  for (int i = 0; i < 150; ++i) {
    std::string rubbish =
        i % 3 == 0 ? kUpgrade : ClientFrame{.payload = std::string(random() % 200, 'x')}.bytes();
    for (int j = 0; j < 4; ++j) rubbish[random() % rubbish.size()] = static_cast<char>(random());
    if (i % 3 == 1) {
      SocketClient client(port_);
      client.send(rubbish);
    } else {
      Client client(port_);
      client.send(rubbish);
      if (i % 2 == 0) client.end_writing();
    }
  }
  EXPECT_TRUE(serves());
  end();
  EXPECT_LE(notices_, 30) << "a log does not grow with who asks for it";
}

TEST_F(AttackTest, AThousandThatComeAndGoLeaveNothingBehind) {
  begin();
  const auto visit = [&](int i) {
    if (i % 4 == 0) {
      Client client(port_);
      client.send(kUpgrade.substr(0, 50));
    } else if (i % 4 == 1) {
      Client client(port_);
      client.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n");
      client.receive("page /x");
    } else {
      SocketClient client(port_);
      client.say(std::string(1000, 'x'));
      // leaves with a reset, while the answer is under way
      const linger now{.l_onoff = 1, .l_linger = 0};
      if (i % 4 == 2) setsockopt(client.descriptor(), SOL_SOCKET, SO_LINGER, &now, sizeof now);
    }
  };
  for (int i = 0; i < 200; ++i) visit(i);
  wait_for([&] { return closed_ == opened_; });
  const std::size_t memory_before = memory();
  const std::size_t files_before = open_files();
  for (int i = 0; i < 1000; ++i) visit(i);
  wait_for([&] { return closed_ == opened_; });
  EXPECT_EQ(opened_, 600);
  // the last connections may not have been seen to end
  wait_for([&] { return open_files() <= files_before + 8; });
  EXPECT_LT(memory(), memory_before + (4U << 20U));
  EXPECT_TRUE(serves());
}

}  // namespace
}  // namespace sinew::web
