// SPDX-License-Identifier: BSD-3-Clause
#include "apps/supervisor/connection.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "apps/supervisor/event_log.h"

namespace sinew::supervisor {
namespace {

// what one who does not read may leave lying here
constexpr std::size_t kMostUnsent = 1U << 20U;

bool would_wait() {
  return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

}  // namespace

Connection::~Connection() {
  close(descriptor_);
}

std::optional<std::string> Connection::take_line() {
  std::array<char, 4096> buffer{};
  while (input_.size() <= kLongestLine && input_.find('\n') == std::string::npos) {
    const ssize_t size = recv(descriptor_, buffer.data(), buffer.size(), 0);
    if (size < 0 && would_wait()) return std::nullopt;
    if (size <= 0) {
      is_broken_ = true;
      return std::nullopt;
    }
    input_.append(buffer.data(), static_cast<std::size_t>(size));
  }
  const std::size_t end = input_.find('\n');
  std::string line = input_.substr(0, end);
  input_.erase(0, end == std::string::npos ? input_.size() : end + 1);
  return line;
}

void Connection::send(const Json& json) {
  output_ += line_of(json);
  if (output_.size() > kMostUnsent) is_broken_ = true;
  flush();
}

void Connection::finish(const Json& json) {
  wait = Wait::Nothing;
  send(json);
}

void Connection::fail(const std::string& message) {
  finish({{"done", false}, {"error", message}});
}

void Connection::flush() {
  while (!output_.empty() && !is_broken_) {
    const ssize_t size = ::send(descriptor_, output_.data(), output_.size(), MSG_NOSIGNAL);
    if (size < 0 && would_wait()) return;
    if (size <= 0) {
      is_broken_ = true;
      return;
    }
    output_.erase(0, static_cast<std::size_t>(size));
  }
}

Listener::~Listener() {
  if (descriptor_ >= 0) close(descriptor_);
}

Result<Listener> listen_at(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path)
    return Error{ErrorCode::OutOfLimits, fmt::format("{} is too long for a socket", path)};
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  unlink(path.c_str());
  const int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const mode_t mask = umask(0177);
  const bool is_bound =
      listener >= 0 && bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  const int reason = errno;
  umask(mask);
  if (is_bound && listen(listener, 64) == 0) return Listener(listener);
  const std::string why = std::strerror(is_bound ? errno : reason);
  if (listener >= 0) close(listener);
  return Error{ErrorCode::SystemFailure, fmt::format("cannot listen at {}: {}", path, why)};
}

std::optional<int> accept_same_user(int listener) {
  const int descriptor = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (descriptor < 0) return std::nullopt;
  ucred caller{};
  socklen_t size = sizeof caller;
  if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &caller, &size) == 0 && caller.uid == geteuid())
    return descriptor;
  tell("user {} was refused", caller.uid);
  const std::string line =
      line_of({{"done", false}, {"error", fmt::format("this supervisor serves user {} alone", geteuid())}});
  [[maybe_unused]] const ssize_t sent = send(descriptor, line.data(), line.size(), MSG_NOSIGNAL);
  close(descriptor);
  return std::nullopt;
}

}  // namespace sinew::supervisor
