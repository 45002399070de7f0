// SPDX-License-Identifier: BSD-3-Clause
#include "apps/cli/demo_process.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/time.h"

namespace sinew::cli {
namespace {

constexpr std::int64_t kEndsWithin_ns = 5 * kSecond_ns;
constexpr std::size_t kMostLetters = 4000;

}  // namespace

DemoProcess::DemoProcess(std::vector<std::string> words) : log_(std::tmpfile(), std::fclose) {
  pid_ = fork();
  if (pid_ == 0) become(std::move(words));
}

bool DemoProcess::has_ended() {
  int status = 0;
  if (pid_ > 0 && waitpid(pid_, &status, WNOHANG) == pid_) {
    pid_ = 0;
    is_well_ = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }
  return pid_ <= 0;
}

std::string DemoProcess::log_text() const {
  std::string text;
  std::rewind(log_.get());
  for (int letter = 0; text.size() < kMostLetters && (letter = std::fgetc(log_.get())) != EOF;)
    text += static_cast<char>(letter);
  return text;
}

void DemoProcess::end() {
  if (has_ended()) return;
  kill(pid_, SIGTERM);
  const std::int64_t deadline_ns = monotonic_now_ns() + kEndsWithin_ns;
  while (!has_ended()) {
    if (monotonic_now_ns() > deadline_ns) kill(pid_, SIGKILL);
    const timespec pause{.tv_sec = 0, .tv_nsec = 10 * kMillisecond_ns};
    nanosleep(&pause, nullptr);
  }
}

void DemoProcess::become(std::vector<std::string> words) const {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  dup2(fileno(log_.get()), STDOUT_FILENO);
  dup2(fileno(log_.get()), STDERR_FILENO);
  // Ctrl-C at the terminal is for the demo, which then ends its children
  setpgid(0, 0);
  std::error_code error;
  const auto folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  words.front() = (folder / words.front()).string();
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execv(pointers.front(), pointers.data());
  fmt::print(stderr, "cannot run {}\n", words.front());
  _exit(127);
}

}  // namespace sinew::cli
