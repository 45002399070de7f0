// SPDX-License-Identifier: BSD-3-Clause
// Clients for tests: plain bytes over TCP, and WebSocket frames that may be as wrong as a test wants them.
#pragma once

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace sinew::web {

/// A plain TCP client.
class Client {
 public:
  explicit Client(std::uint16_t port) : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    EXPECT_EQ(connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  }
  ~Client() { close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  bool send(std::string_view bytes) {
    return ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size());
  }
  /// All that comes until the server closes, or until `end` has come.
  std::string receive(const std::string& end = "") {
    std::string all;
    std::array<char, 4096> part{};
    while (end.empty() || all.find(end) == std::string::npos) {
      const ssize_t size = recv(socket_, part.data(), part.size(), 0);
      if (size <= 0) break;
      all.append(part.data(), static_cast<std::size_t>(size));
    }
    return all;
  }
  /// Exactly so many bytes, or fewer when the server closes.
  std::string receive_exactly(std::size_t size) {
    std::string all(size, '\0');
    std::size_t count = 0;
    while (count < size) {
      const ssize_t part = recv(socket_, all.data() + count, size - count, 0);
      if (part <= 0) break;
      count += static_cast<std::size_t>(part);
    }
    all.resize(count);
    return all;
  }
  int descriptor() const { return socket_; }
  void end_writing() { shutdown(socket_, SHUT_WR); }
  bool is_closed() {
    char byte = 0;
    return recv(socket_, &byte, 1, 0) <= 0;
  }

 private:
  int socket_;
};

/// The bytes of one frame as a client sends it, or not as it should.
struct ClientFrame {
  unsigned kind = 1;
  std::string payload;
  bool is_last = true;
  bool is_masked = true;
  unsigned reserved = 0;  ///< Bits 4 to 6 of the first byte.

  std::string bytes() const {
    std::string text;
    text += static_cast<char>((is_last ? 0x80U : 0U) | reserved << 4U | kind);
    const std::uint64_t size = payload.size();
    const unsigned mask_bit = is_masked ? 0x80U : 0U;
    const std::size_t digits = size < 126 ? 0 : size < 0x10000 ? 2 : 8;
    text += static_cast<char>(mask_bit | (digits == 0 ? size : digits == 2 ? 126U : 127U));
    for (std::size_t i = digits; i-- > 0;) text += static_cast<char>((size >> (8 * i)) & 0xFFU);
    const std::string mask = is_masked ? std::string("\x37\xfa\x21\x3d") : std::string(4, '\0');
    if (is_masked) text += mask;
    for (std::size_t i = 0; i < payload.size(); ++i) text += static_cast<char>(payload[i] ^ mask[i % 4]);
    return text;
  }
};

/// One frame as servers send it.
struct ServerFrame {
  unsigned kind = 0;
  std::string payload;
  /// Of a frame that closes; zero: it says none.
  unsigned code() const {
    if (payload.size() < 2) return 0;
    return static_cast<unsigned char>(payload[0]) * 256U + static_cast<unsigned char>(payload[1]);
  }
};

/// A client of WebSockets.
class SocketClient : public Client {
 public:
  explicit SocketClient(std::uint16_t port, const std::string& target = "/live", const std::string& more = "")
      : Client(port) {
    send("GET " + target + " HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
         "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" + more + "\r\n");
    while (!answer_.ends_with("\r\n\r\n")) {
      const std::string letter = receive_exactly(1);
      if (letter.empty()) break;
      answer_ += letter;
    }
  }
  const std::string& answer() const { return answer_; }

  void say(const std::string& text) { send(ClientFrame{.payload = text}.bytes()); }

  /// The next frame; nothing when the server has closed.
  std::optional<ServerFrame> frame() {
    const std::string head = receive_exactly(2);
    if (head.size() < 2) return std::nullopt;
    std::uint64_t size = static_cast<unsigned char>(head[1]);
    if (size >= 126) {
      const std::string digits = receive_exactly(size == 126 ? 2 : 8);
      size = 0;
      for (const char digit : digits) size = size << 8U | static_cast<unsigned char>(digit);
    }
    return ServerFrame{static_cast<unsigned char>(head[0]) & 0x0FU, receive_exactly(size)};
  }
  /// The code with which the server closes; pings and messages before it are passed over. Zero: it hung up
  /// without.
  unsigned close_code() {
    while (const auto next = frame())
      if (next->kind == 8) return next->code();
    return 0;
  }

 private:
  std::string answer_;
};

}  // namespace sinew::web
