// SPDX-License-Identifier: BSD-3-Clause
#include "web/served.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <ctime>
#include <fstream>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/time.h"
#include "sinew/web/server.h"

namespace sinew::bench {
namespace {

// In the process of its own; tells its port and serves until it is ended.
void serve(const Served::Options& options, int told) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  web::Server server(
      {.address = {.host = "127.0.0.1", .port = 0}},
      [](const web::HttpRequest&, const web::Server::Answer& answer) { answer({.status = 404}); });
  std::set<web::SocketNumber> open;
  server.on_sockets(
      {.may_open = [](const web::HttpRequest&) { return web::SocketVerdict{}; },
       .opened = [&](web::SocketNumber number, const web::HttpRequest&) { open.insert(number); },
       .message = [](web::SocketNumber, const web::SocketMessage&) {},
       .closed = [&](web::SocketNumber number) { open.erase(number); }});
  std::uint16_t port = 0;
  if (server.listen()) port = server.address().port;
  if (write(told, &port, sizeof port) != sizeof port || port == 0) return;
  const std::string message(options.message_bytes, 'x');
  const auto pause_ns = nanoseconds_from_seconds(1.0 / options.rate);
  std::int64_t next_ns = monotonic_now_ns();
  server.repeat([&]() -> std::int64_t {
    for (const web::SocketNumber number : open) server.send(number, {.bytes = message}, 1);
    next_ns += pause_ns;
    return std::max<std::int64_t>(0, next_ns - monotonic_now_ns());
  });
  server.run();
}

}  // namespace

Result<Served> Served::start(const Options& options) {
  std::array<int, 2> pipe_ends{};
  if (pipe(pipe_ends.data()) != 0) return Error{ErrorCode::SystemFailure, "cannot make a pipe"};
  const pid_t process = fork();
  if (process == 0) {
    serve(options, pipe_ends[1]);
    _exit(0);
  }
  std::uint16_t port = 0;
  close(pipe_ends[1]);
  const bool is_told = process > 0 && read(pipe_ends[0], &port, sizeof port) == sizeof port;
  close(pipe_ends[0]);
  if (!is_told || port == 0) return Error{ErrorCode::SystemFailure, "the server does not listen"};
  return Served(process, port);
}

Served::~Served() {
  if (process_ <= 0) return;
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
}

Served::Served(Served&& other) noexcept : process_(std::exchange(other.process_, 0)), port_(other.port_) {}

std::int64_t Served::computed_ns() const {
  clockid_t clock{};
  timespec time{};
  if (clock_getcpuclockid(process_, &clock) != 0 || clock_gettime(clock, &time) != 0) return 0;
  return time.tv_sec * kSecond_ns + time.tv_nsec;
}

std::size_t Served::memory() const {
  std::ifstream file(fmt::format("/proc/{}/statm", process_));
  std::size_t all = 0;
  std::size_t resident = 0;
  file >> all >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace sinew::bench
