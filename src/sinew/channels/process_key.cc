// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/channels/process_key.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string_view>

#include <fmt/format.h>

namespace sinew::channels {
namespace {

constexpr int kPidBits = 22;
constexpr int kStartBits = 26;
constexpr std::uint64_t mask(int bits) {
  return (1ULL << bits) - 1;
}

// A small file of /proc, whole; empty when it cannot be read.
std::string read_small_file(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return {};
  char buffer[1024];
  const ssize_t size = read(descriptor, buffer, sizeof buffer);
  close(descriptor);
  return size > 0 ? std::string(buffer, static_cast<std::size_t>(size)) : std::string();
}

struct ProcessStat {
  char state = '?';
  long threads = 0;
  unsigned long long start_ticks = 0;
};

std::optional<ProcessStat> read_stat(std::uint32_t pid) {
  // the first thread's file says the same as the process's, and qemu-user, which makes up the process's own
  // file with another start time than everybody else sees, leaves this one alone
  const std::string text = read_small_file(fmt::format("/proc/{0}/task/{0}/stat", pid));
  // the name in parentheses may hold anything, also parentheses: fields are counted from the last one
  const std::size_t end_of_name = text.rfind(')');
  if (end_of_name == std::string::npos) return std::nullopt;
  ProcessStat stat;
  const int fields =
      std::sscanf(text.c_str() + end_of_name + 1,
                  " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %ld %*d %llu",
                  &stat.state, &stat.threads, &stat.start_ticks);
  return fields == 3 ? std::optional(stat) : std::nullopt;
}

std::uint64_t own_namespace() {
  struct stat status {};
  return stat("/proc/self/ns/pid", &status) == 0 ? static_cast<std::uint64_t>(status.st_ino) : 0;
}

ProcessKey make_key(std::uint64_t pid, std::uint64_t start_ticks, std::uint64_t name_space) {
  return (pid & mask(kPidBits)) | (start_ticks & mask(kStartBits)) << kPidBits |
         (name_space & 0xffff) << (kPidBits + kStartBits);
}

}  // namespace

ProcessKey own_process_key() {
  const auto pid = static_cast<std::uint32_t>(getpid());
  const auto stat = read_stat(pid);
  return make_key(pid, stat ? stat->start_ticks : 0, own_namespace());
}

std::uint32_t pid_of(ProcessKey key) {
  return static_cast<std::uint32_t>(key & mask(kPidBits));
}

Life life_of(ProcessKey key) {
  const std::uint32_t pid = pid_of(key);
  if (make_key(0, 0, own_namespace()) != make_key(0, 0, key >> (kPidBits + kStartBits))) return Life::Unknown;
  if (kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH) return Life::Dead;
  const auto stat = read_stat(pid);
  if (!stat) {
    // it may have ended between the two looks; a /proc that hides other users' processes proves nothing
    return kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH ? Life::Dead : Life::Unknown;
  }
  if (make_key(pid, stat->start_ticks, own_namespace()) != key) return Life::Dead;
  const bool is_zombie = (stat->state == 'Z' || stat->state == 'X') && stat->threads <= 1;
  return is_zombie ? Life::Dead : Life::Alive;
}

std::string process_name(std::uint32_t pid) {
  std::string name = read_small_file(fmt::format("/proc/{}/comm", pid));
  while (!name.empty() && name.back() == '\n') name.pop_back();
  return name;
}

std::string program_name(std::uint32_t pid) {
  const std::string words = read_small_file(fmt::format("/proc/{}/cmdline", pid));
  const std::string program = words.substr(0, words.find('\0'));
  const std::string leaf = program.substr(program.rfind('/') + 1);
  return leaf.empty() ? process_name(pid) : leaf;
}

}  // namespace sinew::channels
