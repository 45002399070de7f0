// SPDX-License-Identifier: BSD-3-Clause
#include "apps/supervisor/client.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sinew/base/time.h"
#include "sinew/processes/identity.h"
#include "sinew/processes/log_file.h"
#include "sinew/processes/pid_file.h"
#include "sinew/processes/spawn.h"

namespace sinew::supervisor {
namespace {

constexpr std::int64_t kLaunch_ns = 15 * kSecond_ns;
// a supervisor may leave just as it is asked; then the next one is
constexpr int kMostTries = 5;
constexpr std::size_t kLongestAnswer = 4U << 20U;

class Link {
 public:
  explicit Link(int descriptor = -1) : descriptor_(descriptor) {}
  Link(Link&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)), input_(std::move(other.input_)) {}
  Link& operator=(Link&&) = delete;
  ~Link() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  int descriptor() const { return descriptor_; }

  // The next line, waiting at most `silence`; Gone when the other side has closed.
  Result<std::string> next_line(double silence) {
    const std::int64_t deadline_ns = monotonic_now_ns() + nanoseconds_from_seconds(silence);
    while (input_.find('\n') == std::string::npos) {
      pollfd look{.fd = descriptor_, .events = POLLIN, .revents = 0};
      const std::int64_t left_ns = std::max<std::int64_t>(deadline_ns - monotonic_now_ns(), 0);
      if (poll(&look, 1, static_cast<int>(left_ns / kMillisecond_ns)) == 0)
        return Error{ErrorCode::TimedOut, "the supervisor does not answer"};
      std::array<char, 4096> buffer{};
      const ssize_t size = recv(descriptor_, buffer.data(), buffer.size(), MSG_DONTWAIT);
      if (size < 0 && (errno == EAGAIN || errno == EINTR)) continue;
      if (size <= 0 || input_.size() > kLongestAnswer)
        return Error{ErrorCode::Gone, "the supervisor has gone before it answered"};
      input_.append(buffer.data(), static_cast<std::size_t>(size));
    }
    const std::size_t end = input_.find('\n');
    std::string line = input_.substr(0, end);
    input_.erase(0, end + 1);
    return line;
  }

 private:
  int descriptor_;
  std::string input_;
};

// Who is at the other end.
std::optional<ucred> peer_of(const Link& link) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (getsockopt(link.descriptor(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return std::nullopt;
  return peer;
}

// Readable when the process at the other end has ended; closed by the caller.
int watch_peer(const Link& link) {
  const auto peer = peer_of(link);
  const auto identity = peer ? processes::identity_of(peer->pid) : std::nullopt;
  return identity ? processes::watch_process(*identity).value_or(-1) : -1;
}

Result<Link> connect_to(const processes::RunFolder& folder) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = folder.socket();
  std::memcpy(address.sun_path, path.c_str(), std::min(path.size() + 1, sizeof address.sun_path - 1));
  Link link(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (connect(link.descriptor(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
    const auto peer = peer_of(link);
    if (peer && peer->uid == geteuid()) return link;
    return Error{ErrorCode::Denied, fmt::format("the supervisor at {} belongs to another user", path)};
  }
  const bool is_none = errno == ENOENT || errno == ECONNREFUSED || errno == ENOTDIR;
  return Error{is_none ? ErrorCode::NotFound : ErrorCode::SystemFailure,
               is_none ? fmt::format("no supervisor runs in space '{}'", folder.space)
                       : fmt::format("cannot reach the supervisor at {}: {}", path, std::strerror(errno))};
}

Result<Link> launch(const AskOptions& options) {
  const processes::RunFolder& folder = options.folder;
  if (Status made = make_run_folder(folder); !made) return made.error();
  const std::uint64_t log_start = processes::log_size(folder.supervisor_log());
  const processes::SpawnOptions program{.words = {options.program, "--space", folder.space},
                                        .folder = "/",
                                        .log_path = folder.supervisor_log()};
  auto spawned = processes::spawn(program);
  if (!spawned) return spawned.error();
  const std::int64_t deadline_ns = monotonic_now_ns() + kLaunch_ns;
  while (true) {
    auto link = connect_to(folder);
    if (link || link.error().code != ErrorCode::NotFound) return link;
    int status = 0;
    const bool has_ended = waitpid(spawned->identity.pid, &status, WNOHANG) == spawned->identity.pid;
    if (has_ended && status != 0) {
      return Error{ErrorCode::SystemFailure,
                   fmt::format("the supervisor ended at once. The end of {}:\n{}", folder.supervisor_log(),
                               processes::last_lines(folder.supervisor_log(), 5, log_start))};
    }
    // it saw another one, which has not begun to listen, or is leaving
    if (has_ended) spawned = processes::spawn(program);
    if (!spawned) return spawned.error();
    if (monotonic_now_ns() > deadline_ns)
      return Error{ErrorCode::TimedOut,
                   fmt::format("the supervisor does not come up; see {}", folder.supervisor_log())};
    usleep(3000);
  }
}

Result<Link> connect_or_launch(const AskOptions& options) {
  auto link = connect_to(options.folder);
  const bool is_none = !link && link.error().code == ErrorCode::NotFound;
  return is_none && options.launch == Launch::IfNone ? launch(options) : std::move(link);
}

Result<Json> converse(Link& link, const std::string& request, const AskOptions& options) {
  if (request.size() > kLongestLine)
    return Error{ErrorCode::OutOfLimits,
                 fmt::format("the request has {} bytes and may have {}", request.size(), kLongestLine)};
  std::size_t sent = 0;
  while (sent < request.size()) {
    const ssize_t size = send(link.descriptor(), request.data() + sent, request.size() - sent, MSG_NOSIGNAL);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return Error{ErrorCode::Gone, "the supervisor has gone"};
    sent += static_cast<std::size_t>(size);
  }
  while (true) {
    const auto line = link.next_line(options.silence);
    if (!line) return line.error();
    Json json = Json::parse(*line, nullptr, false);
    if (!json.is_object()) return Error{ErrorCode::Damaged, "the supervisor's answer is not understood"};
    if (const std::string news = text_in(json, "news"); !news.empty() && options.on_news)
      options.on_news(news);
    const auto done = json.find("done");
    if (done == json.end()) continue;
    if (done->is_boolean() && done->get<bool>()) return json;
    return Error{ErrorCode::Denied, text_in(json, "error", "refused")};
  }
}

// A supervisor with nothing left to do ends by itself, soon.
void wait_for_end(int watch, const processes::RunFolder& folder) {
  for (int i = 0; i < 200; ++i) {
    pollfd look{.fd = watch, .events = POLLIN, .revents = 0};
    if (poll(&look, 1, 10) != 0 || !processes::robots_in(folder).empty()) return;
  }
}

}  // namespace

Result<Json> ask_supervisor(const Json& request, const AskOptions& options) {
  for (int attempt = 1;; ++attempt) {
    auto link = connect_or_launch(options);
    if (!link) return link.error();
    const int watch = options.waits_for_end ? watch_peer(*link) : -1;
    auto answer = converse(*link, line_of(request), options);
    if (watch >= 0) {
      if (answer) wait_for_end(watch, options.folder);
      close(watch);
    }
    const bool is_retried =
        !answer && answer.error().code == ErrorCode::Gone && options.launch == Launch::IfNone;
    if (!is_retried || attempt == kMostTries) return answer;
  }
}

}  // namespace sinew::supervisor
