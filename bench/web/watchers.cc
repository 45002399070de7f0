// SPDX-License-Identifier: BSD-3-Clause
#include "web/watchers.h"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "sinew/base/time.h"

namespace sinew::bench {
namespace {

constexpr std::string_view kUpgrade =
    "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: "
    "websocket\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
// an empty pong with a mask of zeros
constexpr std::string_view kPong("\x8a\x80\0\0\0\0", 6);
constexpr unsigned kText = 0x81;
constexpr unsigned kPing = 0x89;

// The answer to the upgrade, and nothing of what follows it.
bool is_opened(int socket) {
  std::string answer;
  while (!answer.ends_with("\r\n\r\n")) {
    char letter = 0;
    if (recv(socket, &letter, 1, 0) != 1) return false;
    answer += letter;
  }
  return answer.starts_with("HTTP/1.1 101 ");
}

}  // namespace

Watchers::~Watchers() {
  for (const Watcher& watcher : watchers_) close(watcher.socket);
}

Status Watchers::add(std::uint16_t port, bool reads) {
  Watcher watcher{.socket = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), .reads = reads};
  sockaddr_in address{.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
  const bool is_open = connect(watcher.socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 &&
                       send(watcher.socket, kUpgrade.data(), kUpgrade.size(), MSG_NOSIGNAL) ==
                           static_cast<ssize_t>(kUpgrade.size()) &&
                       is_opened(watcher.socket);
  watchers_.push_back(std::move(watcher));
  if (!is_open) return Error{ErrorCode::SystemFailure, "the server opens no socket"};
  return Done{};
}

void Watchers::watch(std::int64_t duration_ns) {
  const std::int64_t end_ns = monotonic_now_ns() + duration_ns;
  while (monotonic_now_ns() < end_ns) {
    std::vector<pollfd> polled;
    for (const Watcher& watcher : watchers_)
      polled.push_back({.fd = watcher.reads && watcher.is_open ? watcher.socket : -1, .events = POLLIN});
    poll(polled.data(), polled.size(), 10);
    for (std::size_t i = 0; i < polled.size(); ++i)
      if (polled[i].revents != 0) read(watchers_[i]);
  }
}

void Watchers::read(Watcher& watcher) {
  std::array<char, 65536> part{};
  const ssize_t size = recv(watcher.socket, part.data(), part.size(), MSG_DONTWAIT);
  watcher.is_open = size > 0;
  if (size <= 0) return;
  watcher.waiting.append(part.data(), static_cast<std::size_t>(size));
  take_frames(watcher);
}

void Watchers::take_frames(Watcher& watcher) {
  const std::string_view bytes = watcher.waiting;
  std::size_t begin = 0;
  while (bytes.size() - begin >= 4) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[begin + i]); };
    // messages of the benchmark are below 64 KiB
    const bool is_short = byte(1) < 126;
    const std::size_t size = is_short ? 2U + byte(1) : 4U + byte(2) * 256U + byte(3);
    if (byte(0) == kPing) send(watcher.socket, kPong.data(), kPong.size(), MSG_NOSIGNAL);
    if (bytes.size() - begin < size) break;
    if (byte(0) == kText) {
      const std::int64_t now_ns = monotonic_now_ns();
      if (watcher.last_ns != 0)
        watcher.count.longest_gap_ns = std::max(watcher.count.longest_gap_ns, now_ns - watcher.last_ns);
      watcher.last_ns = now_ns;
      ++watcher.count.messages;
    }
    begin += size;
  }
  watcher.waiting.erase(0, begin);
}

void Watchers::count_anew() {
  for (Watcher& watcher : watchers_) watcher.count = {};
}

std::vector<Watchers::Count> Watchers::counts() const {
  std::vector<Count> all;
  for (const Watcher& watcher : watchers_)
    if (watcher.reads) all.push_back(watcher.count);
  return all;
}

std::size_t Watchers::closed() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      watchers_, [](const Watcher& watcher) { return watcher.reads && !watcher.is_open; }));
}

}  // namespace sinew::bench
