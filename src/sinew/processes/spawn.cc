// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/processes/spawn.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "sinew/processes/pid_file.h"
#include "sinew/processes/roles.h"

namespace sinew::processes {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }

 private:
  int number_;
};

// What the child needs, opened before the fork so that refusals have words.
struct ChildFiles {
  Descriptor nothing;
  Descriptor log;
  Descriptor ready;
  Descriptor pid;
  Descriptor failure_read;
  Descriptor failure_write;
};

Error cannot(std::string_view doing, const std::string& path) {
  return {ErrorCode::SystemFailure, fmt::format("cannot {} {}: {}", doing, path, std::strerror(errno))};
}

// A descriptor above those that the child is given, so that none is overwritten on the way.
Descriptor open_high(const std::string& path, int flags) {
  const Descriptor file(open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW, 0600));
  return Descriptor(file.is_open() ? fcntl(file.number(), F_DUPFD_CLOEXEC, kReadyDescriptor + 1) : -1);
}

Status open_files(const SpawnOptions& options, ChildFiles& files, std::string& log_remark) {
  files.nothing = open_high("/dev/null", O_RDWR);
  if (!files.nothing.is_open()) return cannot("open", "/dev/null");
  files.log = open_high(options.log_path, O_WRONLY | O_APPEND | O_CREAT);
  if (!files.log.is_open()) log_remark = cannot("write the log", options.log_path).message;
  if (!options.ready_path.empty()) {
    // a new file: what is left of the process before may still hold the old one
    unlink(options.ready_path.c_str());
    files.ready = open_high(options.ready_path, O_WRONLY | O_APPEND | O_CREAT | O_EXCL);
    if (!files.ready.is_open()) return cannot("make", options.ready_path);
  }
  if (!options.pid_path.empty()) {
    if (Status made = make_pid_file(options.pid_path); !made) return made;
    files.pid = open_high(options.pid_path, O_WRONLY);
    if (!files.pid.is_open()) return cannot("open", options.pid_path);
  }
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return cannot("make a pipe for", options.words.front());
  files.failure_read = Descriptor(ends[0]);
  files.failure_write = Descriptor(fcntl(ends[1], F_DUPFD_CLOEXEC, kReadyDescriptor + 1));
  close(ends[1]);
  return Done{};
}

// The signals that the caller ignores or blocks are its own affair.
void reset_signals() {
  for (int number = 1; number < NSIG; ++number) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

[[noreturn]] void become(const SpawnOptions& options, const ChildFiles& files, char* const* words) {
  setsid();
  reset_signals();
  const int output = files.log.is_open() ? files.log.number() : files.nothing.number();
  bool is_good = dup2(files.nothing.number(), STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0 &&
                 dup2(output, STDERR_FILENO) >= 0;
  if (files.ready.is_open()) is_good = is_good && dup2(files.ready.number(), kReadyDescriptor) >= 0;
  // whoever takes the supervisor's lock after its death finds this written, or finds us not begun
  if (is_good && files.pid.is_open()) {
    const auto self = identity_of(getpid());
    is_good = self && write_pid(files.pid.number(), {.identity = *self, .restarts = options.restarts});
  }
  if (is_good && chdir(options.folder.c_str()) == 0) {
    const int first = files.ready.is_open() ? kReadyDescriptor + 1 : kReadyDescriptor;
    close_range(static_cast<unsigned>(first), ~0U, CLOSE_RANGE_CLOEXEC);
    execvp(words[0], words);
  }
  const int reason = errno;
  [[maybe_unused]] const ssize_t written = write(files.failure_write.number(), &reason, sizeof reason);
  _exit(127);
}

}  // namespace

Result<Spawned> spawn(const SpawnOptions& options) {
  ChildFiles files;
  Spawned spawned;
  if (Status opened = open_files(options, files, spawned.log_remark); !opened) return opened.error();
  std::vector<char*> words;
  for (const std::string& word : options.words) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);

  const pid_t pid = fork();
  if (pid < 0) return cannot("make a process for", options.words.front());
  if (pid == 0) become(options, files, words.data());

  files.failure_write = Descriptor();
  int reason = 0;
  ssize_t size = 0;
  // ends with the pipe, when the program begins or the child dies
  while ((size = read(files.failure_read.number(), &reason, sizeof reason)) < 0 && errno == EINTR) continue;
  if (size == static_cast<ssize_t>(sizeof reason)) {
    waitpid(pid, nullptr, 0);
    return Error{ErrorCode::SystemFailure, fmt::format("cannot run '{}' in {}: {}", options.words.front(),
                                                       options.folder, std::strerror(reason))};
  }
  const auto identity = identity_of(pid);
  if (!identity) return cannot("look at the process of", options.words.front());
  spawned.identity = *identity;
  return spawned;
}

}  // namespace sinew::processes
