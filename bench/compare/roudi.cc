// SPDX-License-Identifier: BSD-3-Clause
#include "compare/roudi.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace sinew::bench {
namespace {

// pools for any message up to 64 KiB, far smaller than the default's 150 MB, so that it starts at once
constexpr std::string_view kPools = R"([general]
version = 1
[[segment]]
[[segment.mempool]]
size = 128
count = 200
[[segment.mempool]]
size = 1024
count = 200
[[segment.mempool]]
size = 16384
count = 200
[[segment.mempool]]
size = 65536
count = 200
)";

constexpr int kPolls = 500;
constexpr useconds_t kPoll_us = 10'000;

[[noreturn]] void become_roudi(int output) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  // Ctrl-C is for the one who started it
  setpgid(0, 0);
  const int pools = memfd_create("roudi-pools", 0);
  const bool is_written = write(pools, kPools.data(), kPools.size()) == static_cast<ssize_t>(kPools.size());
  const std::string path = fmt::format("/proc/self/fd/{}", pools);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  if (is_written) execlp("iox-roudi", "iox-roudi", "-c", path.c_str(), nullptr);
  _exit(127);
}

}  // namespace

Status RouDi::start() {
  output_ = memfd_create("roudi-output", MFD_CLOEXEC);
  if (output_ < 0) return Error{ErrorCode::SystemFailure, "iceoryx: no memory file for RouDi's output"};
  pid_ = fork();
  if (pid_ == 0) become_roudi(output_);
  if (pid_ < 0) return Error{ErrorCode::SystemFailure, "iceoryx: cannot fork RouDi"};
  Status status = wait_until_ready();
  if (!status) stop();
  return status;
}

Status RouDi::wait_until_ready() {
  for (int step = 0; step < kPolls; ++step) {
    std::array<char, 4096> text{};
    const ssize_t length = pread(output_, text.data(), text.size() - 1, 0);
    const std::string_view said(text.data(), length > 0 ? static_cast<std::size_t>(length) : 0);
    if (said.find("ready for clients") != std::string_view::npos) return Done{};
    if (waitpid(pid_, nullptr, WNOHANG) == pid_) {
      pid_ = -1;
      return Error{ErrorCode::NotFound,
                   fmt::format("iceoryx: iox-roudi ended at once; is the package iceoryx installed, and no "
                               "other RouDi running? It said: {}",
                               said)};
    }
    usleep(kPoll_us);
  }
  return Error{ErrorCode::TimedOut, "iceoryx: iox-roudi took no clients within 5 s"};
}

void RouDi::stop() {
  if (output_ >= 0) close(output_);
  output_ = -1;
  if (pid_ <= 0) return;
  kill(pid_, SIGTERM);
  int step = 0;
  while (waitpid(pid_, nullptr, WNOHANG) == 0) {
    if (++step == kPolls) kill(pid_, SIGKILL);
    usleep(kPoll_us);
  }
  pid_ = -1;
}

}  // namespace sinew::bench
