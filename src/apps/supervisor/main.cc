// SPDX-License-Identifier: BSD-3-Clause
// sinew-supervisor --space NAME: keeps the robots of one space running. Started by 'sinew start'.
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdio>
#include <string_view>

#include <fmt/format.h>

#include "sinew/base/time.h"
#include "sinew/processes/pid_file.h"
#include "sinew/processes/run_folder.h"

#include "apps/supervisor/connection.h"
#include "apps/supervisor/event_log.h"
#include "apps/supervisor/guardian.h"
#include "apps/supervisor/supervisor.h"

namespace sinew::supervisor {
namespace {

constexpr std::int64_t kWaitForLock_ns = 3 * kSecond_ns;

// Signals that ask us to leave arrive on a descriptor; children get theirs back.
int catch_signals() {
  signal(SIGPIPE, SIG_IGN);
  sigset_t caught;
  sigemptyset(&caught);
  for (const int number : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&caught, number);
  sigprocmask(SIG_BLOCK, &caught, nullptr);
  return signalfd(-1, &caught, SFD_CLOEXEC | SFD_NONBLOCK);
}

int complain(const Error& error) {
  tell("sinew-supervisor: {}", error.message);
  return 1;
}

// The lock, or AlreadyExists when a living supervisor holds it. A dead one's children may hold it for a
// moment.
Result<processes::LockFile> take_lock(const processes::RunFolder& folder) {
  const std::int64_t give_up_ns = monotonic_now_ns() + kWaitForLock_ns;
  while (true) {
    auto lock = processes::LockFile::take(folder.lock(), monotonic_now_ns());
    const bool is_held = !lock && lock.error().code == ErrorCode::AlreadyExists;
    const auto holder = is_held ? processes::read_pid_file(folder.lock()) : std::nullopt;
    if (!is_held || (holder && is_alive(holder->identity)) || monotonic_now_ns() > give_up_ns) return lock;
    usleep(2000);
  }
}

int supervise(std::string_view space, unsigned quick_deaths) {
  const auto folder = processes::run_folder(space);
  if (!folder) return complain(folder.error());
  // who comes after a dead one has something to take up, or nothing to do: somebody else has stopped it all
  const auto is_idle = [&] { return quick_deaths > 0 && processes::robots_in(*folder).empty(); };
  if (is_idle()) return 0;
  if (Status made = make_run_folder(*folder); !made) return complain(made.error());
  const int signals = catch_signals();
  auto lock = take_lock(*folder);
  if (!lock && lock.error().code == ErrorCode::AlreadyExists) return 0;
  if (!lock) return complain(lock.error());
  if (is_idle()) {
    forget_space(*folder);
    return 0;
  }
  // whoever held the lock before may have taken the folders away as it left
  if (Status made = make_run_folder(*folder); !made) return complain(made.error());
  auto listener = listen_at(folder->socket());
  if (!listener) return complain(listener.error());
  tell("supervisor of space '{}' begins, pid {}", space, getpid());
  Supervisor supervisor({.folder = *folder,
                         .lock = *std::move(lock),
                         .listener = *std::move(listener),
                         .signals = signals,
                         .quick_deaths = quick_deaths});
  supervisor.adopt();
  const bool is_all_over = supervisor.run();
  tell("supervisor of space '{}' leaves{}", space, is_all_over ? "" : "; what it started goes on");
  if (is_all_over) {
    forget_space(*folder);
  } else {
    unlink(folder->socket().c_str());
  }
  return 0;
}

}  // namespace
}  // namespace sinew::supervisor

int main(int count, char** words) {
  using namespace sinew;
  const std::string_view option = count == 3 || count == 5 ? words[1] : "";
  const std::string_view more = count == 5 ? words[3] : "";
  processes::ProcessIdentity ward;
  unsigned deaths = 0;
  if (option == "--space" && more.empty()) return supervisor::supervise(words[2], 0);
  // these two are between a supervisor and its guardian
  if (option == "--space" && more == "--after-deaths" && std::sscanf(words[4], "%u", &deaths) == 1)
    return supervisor::supervise(words[2], deaths);
  if (option == "--space" && more == "--guard" &&
      std::sscanf(words[4], "%" SCNd32 ":%" SCNu64 ":%u", &ward.pid, &ward.start_ticks, &deaths) == 3)
    return supervisor::guard(words[2], ward, deaths);
  std::fputs(
      "sinew-supervisor keeps the robots of a space running; 'sinew start ROBOT' starts it.\n"
      "Usage: sinew-supervisor --space NAME\n",
      stderr);
  return 2;
}
