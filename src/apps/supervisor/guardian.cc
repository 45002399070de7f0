// SPDX-License-Identifier: BSD-3-Clause
#include "apps/supervisor/guardian.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/time.h"
#include "sinew/processes/spawn.h"

#include "apps/supervisor/event_log.h"

namespace sinew::supervisor {
namespace {

constexpr std::int64_t kBetweenStarts_ns = kSecond_ns;
// a supervisor that has lived so long was well
constexpr std::int64_t kHealthy_ns = 10 * kSecond_ns;
constexpr unsigned kFirstPause_us = 50'000;
constexpr unsigned kMostDoublings = 6;
constexpr const char* kOwnProgram = "/proc/self/exe";

}  // namespace

Guardian::Guardian(const processes::RunFolder& folder, unsigned quick_deaths)
    : folder_(folder), quick_deaths_(quick_deaths) {}

Guardian::~Guardian() {
  end();
}

void Guardian::look(std::int64_t now_ns) {
  if (watch_ >= 0) {
    pollfd death{.fd = watch_, .events = POLLIN, .revents = 0};
    if (poll(&death, 1, 0) <= 0) return;
    tell("the guardian (pid {}) has died; another one is started", identity_.pid);
    bury();
  }
  if (now_ns >= due_ns_) start(now_ns);
}

void Guardian::start(std::int64_t now_ns) {
  due_ns_ = now_ns + kBetweenStarts_ns;
  const auto self = processes::identity_of(getpid());
  std::error_code error;
  const std::string program = std::filesystem::read_symlink(kOwnProgram, error).string();
  if (!self || error) return;
  const auto spawned =
      processes::spawn({.words = {program, "--space", folder_.space, "--guard",
                                  fmt::format("{}:{}:{}", self->pid, self->start_ticks, quick_deaths_)},
                        .folder = "/",
                        .log_path = folder_.supervisor_log(),
                        .pid_path = folder_.guardian()});
  if (!spawned) return tell("no guardian: {}", spawned.error().message);
  identity_ = spawned->identity;
  if (const auto watch = processes::watch_process(identity_)) watch_ = *watch;
}

void Guardian::bury() {
  close(std::exchange(watch_, -1));
  waitpid(identity_.pid, nullptr, 0);
  unlink(folder_.guardian().c_str());
}

void Guardian::end() {
  if (watch_ < 0) return;
  processes::signal_watched(watch_, SIGKILL);
  bury();
}

std::int64_t Guardian::next_look_ns() const {
  return watch_ < 0 ? due_ns_ : kNever_ns;
}

int guard(const std::string& space, const processes::ProcessIdentity& ward, unsigned quick_deaths) {
  const std::int64_t began_ns = monotonic_now_ns();
  if (const auto watch = processes::watch_process(ward)) {
    pollfd death{.fd = *watch, .events = POLLIN, .revents = 0};
    while (poll(&death, 1, -1) < 0 && errno == EINTR) continue;
    close(*watch);
  }
  // a supervisor that leaves in order ends its guardian first
  const unsigned deaths = monotonic_now_ns() - began_ns < kHealthy_ns ? quick_deaths + 1 : 1;
  tell("the supervisor of space '{}' (pid {}) has died; its guardian (pid {}) takes its place", space,
       ward.pid, getpid());
  usleep(kFirstPause_us << std::min(deaths - 1, kMostDoublings));
  const std::string count = fmt::format("{}", deaths);
  execl(kOwnProgram, "sinew-supervisor", "--space", space.c_str(), "--after-deaths", count.c_str(),
        static_cast<char*>(nullptr));
  tell("the supervisor cannot be brought back: {}", std::strerror(errno));
  return 1;
}

}  // namespace sinew::supervisor
