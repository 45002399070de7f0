// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/processes/identity.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <string>

#include <fmt/format.h>

#include "sinew/base/time.h"

namespace sinew::processes {
namespace {

// the system's own calls: this C library declares its wrappers for C alone
int open_watch(std::int32_t pid) {
  return static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
}

struct ProcessStat {
  char state = '?';
  int session = 0;
  unsigned long long user_ticks = 0;
  unsigned long long system_ticks = 0;
  long threads = 0;
  unsigned long long start_ticks = 0;
  long long resident_pages = 0;
};

std::optional<ProcessStat> read_stat(std::int32_t pid) {
  char text[1024];
  const int descriptor = open(fmt::format("/proc/{}/stat", pid).c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return std::nullopt;
  const ssize_t size = read(descriptor, text, sizeof text - 1);
  close(descriptor);
  if (size <= 0) return std::nullopt;
  text[size] = '\0';
  // the name in parentheses may hold anything, also parentheses: fields are counted from the last one
  const char* end_of_name = std::strrchr(text, ')');
  if (end_of_name == nullptr) return std::nullopt;
  ProcessStat stat;
  const int fields = std::sscanf(end_of_name + 1,
                                 " %c %*d %*d %d %*d %*d %*u %*u %*u %*u %*u %llu %llu %*d %*d %*d %*d %ld "
                                 "%*d %llu %*u %lld",
                                 &stat.state, &stat.session, &stat.user_ticks, &stat.system_ticks,
                                 &stat.threads, &stat.start_ticks, &stat.resident_pages);
  return fields == 7 ? std::optional(stat) : std::nullopt;
}

// Its first thread may have ended before the others.
bool is_dead(const ProcessStat& stat) {
  return (stat.state == 'Z' || stat.state == 'X') && stat.threads <= 1;
}

std::int64_t nanoseconds_from_ticks(unsigned long long ticks) {
  static const auto kTicksPerSecond = static_cast<unsigned long long>(sysconf(_SC_CLK_TCK));
  return static_cast<std::int64_t>(ticks * (static_cast<unsigned long long>(kSecond_ns) / kTicksPerSecond));
}

std::int64_t since_boot_ns() {
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  return static_cast<std::int64_t>(now.tv_sec) * kSecond_ns + now.tv_nsec;
}

// Sends `signal` to `pid` if it belongs to the session of `leader`.
bool signal_member(std::int32_t pid, const ProcessIdentity& leader, int signal) {
  // a look before, so that few descriptors are opened; the look after is the one that counts
  const auto first = read_stat(pid);
  if (!first || first->session != leader.pid) return false;
  const int watch = open_watch(pid);
  if (watch < 0) return false;
  const auto stat = read_stat(pid);
  const bool is_member = stat && stat->session == leader.pid && !is_dead(*stat);
  const bool is_sent = is_member && signal_watched(watch, signal);
  close(watch);
  return is_sent;
}

}  // namespace

std::optional<ProcessIdentity> identity_of(std::int32_t pid) {
  const auto stat = read_stat(pid);
  if (!stat) return std::nullopt;
  return ProcessIdentity{.pid = pid, .start_ticks = stat->start_ticks};
}

bool is_alive(const ProcessIdentity& process) {
  if (process.pid <= 0) return false;
  const auto stat = read_stat(process.pid);
  return stat && stat->start_ticks == process.start_ticks && !is_dead(*stat);
}

Result<int> watch_process(const ProcessIdentity& process) {
  const int watch = process.pid > 0 ? open_watch(process.pid) : -1;
  // the pid may have gone to somebody else before it was opened; from here on it cannot
  if (watch >= 0 && is_alive(process)) return watch;
  const std::string reason = watch < 0 && process.pid > 0 ? std::strerror(errno) : "it has ended";
  if (watch >= 0) close(watch);
  return Error{ErrorCode::Gone, fmt::format("process {} cannot be watched: {}", process.pid, reason)};
}

bool signal_watched(int watch, int signal) {
  return syscall(SYS_pidfd_send_signal, watch, signal, nullptr, 0) == 0;
}

std::optional<ProcessUse> use_of(const ProcessIdentity& process) {
  const auto stat = read_stat(process.pid);
  if (!stat || stat->start_ticks != process.start_ticks) return std::nullopt;
  const auto page_size = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return ProcessUse{.cpu_ns = nanoseconds_from_ticks(stat->user_ticks + stat->system_ticks),
                    .memory_bytes = static_cast<std::uint64_t>(stat->resident_pages) * page_size,
                    .age_ns = since_boot_ns() - nanoseconds_from_ticks(stat->start_ticks)};
}

std::size_t signal_session(const ProcessIdentity& leader, int signal) {
  if (leader.pid <= 1) return 0;
  // a session's number goes to nobody else while one of its processes lives: if it has, the session is over
  if (const auto now = identity_of(leader.pid); now && *now != leader) return 0;
  DIR* stream = opendir("/proc");
  if (stream == nullptr) return 0;
  std::size_t count = 0;
  while (const dirent* entry = readdir(stream)) {
    const char* name = entry->d_name;
    std::int32_t pid = 0;
    const auto [end, error] = std::from_chars(name, name + std::strlen(name), pid);
    if (error == std::errc() && *end == '\0' && signal_member(pid, leader, signal)) ++count;
  }
  closedir(stream);
  return count;
}

bool end_session(const ProcessIdentity& leader) {
  const std::int64_t give_up_ns = monotonic_now_ns() + kSecond_ns;
  // again and again: while we look, they may fork
  while (signal_session(leader, SIGKILL) > 0) {
    if (monotonic_now_ns() > give_up_ns) return false;
    usleep(1000);
  }
  return true;
}

}  // namespace sinew::processes
