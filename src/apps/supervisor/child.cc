// SPDX-License-Identifier: BSD-3-Clause
#include "apps/supervisor/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/text.h"
#include "sinew/processes/log_file.h"
#include "sinew/processes/pid_file.h"
#include "sinew/processes/spawn.h"

#include "apps/supervisor/event_log.h"

namespace sinew::supervisor {
namespace {

constexpr std::int64_t kLongestClearing_ns = kSecond_ns;

// A line in the process's own log that tells one life from the next.
void write_heading(const std::string& path, const std::string& text) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (descriptor < 0) return;
  // a log that cannot be written is no reason to leave the robot without its process
  [[maybe_unused]] const ssize_t size = write(descriptor, text.data(), text.size());
  close(descriptor);
}

}  // namespace

std::string_view phase_text(Phase phase) {
  static constexpr std::array<std::string_view, 7> kTexts{"pending", "starting", "running", "waiting",
                                                          "gave up", "stopping", "ended"};
  return kTexts[static_cast<std::size_t>(phase)];
}

Child::Child(const processes::RunFolder& folder, const processes::RobotPlan& robot,
             const processes::ProcessPlan& plan, bool is_on_trial)
    : robot_(robot),
      plan_(plan),
      pid_path_(folder.pid_file_of(robot.name, plan.role)),
      ready_path_(folder.ready_file_of(robot.name, plan.role)),
      log_path_(folder.log_of(robot.name, plan.role)),
      counter_(robot.rules),
      is_on_trial_(is_on_trial) {}

Child::~Child() {
  if (watch_ >= 0) close(watch_);
}

void Child::start(std::int64_t now_ns) {
  processes::SpawnOptions options{.words = plan_.words,
                                  .folder = robot_.folder,
                                  .log_path = log_path_,
                                  .ready_path = ready_path_,
                                  .pid_path = pid_path_,
                                  .restarts = restarts_};
  if (restarts_ > 0)
    options.words.insert(options.words.end(), plan_.when_restarted.begin(), plan_.when_restarted.end());
  write_heading(log_path_,
                fmt::format("--- {} {} {}: {}\n", time_text(), robot_.name,
                            restarts_ > 0 ? "starts anew" : "starts", fmt::join(options.words, " ")));
  log_start_ = processes::log_size(log_path_);
  started_ns_ = now_ns;
  const auto spawned = processes::spawn(options);
  if (!spawned) return decide_after_death(now_ns, 0, spawned.error().message);
  identity_ = spawned->identity;
  is_our_child_ = true;
  phase_ = Phase::Starting;
  if (!spawned->log_remark.empty())
    tell("{} {}: {}; what it says is lost", robot_.name, role(), spawned->log_remark);
  const auto watch = processes::watch_process(identity_);
  if (watch)
    watch_ = *watch;
  else  // it has died already
    begin_to_clear(now_ns);
}

void Child::adopt(std::int64_t now_ns) {
  const auto record = processes::read_pid_file(pid_path_);
  if (!record) return;
  identity_ = record->identity;
  restarts_ = record->restarts;
  is_our_child_ = false;
  const auto watch = processes::watch_process(identity_);
  if (!watch) {
    cause_ = "ended while there was no supervisor";
    started_ns_ = now_ns;
    return begin_to_clear(now_ns);
  }
  watch_ = *watch;
  const auto use = processes::use_of(identity_);
  started_ns_ = now_ns - (use ? use->age_ns : 0);
  phase_ = Phase::Starting;
  tell("{} {}: taken up again, pid {}", robot_.name, role(), identity_.pid);
  look_at_readiness(now_ns);
}

void Child::look(std::int64_t now_ns) {
  if (has_process()) look_at_death(now_ns);
  if (phase_ == Phase::Starting && !is_dying()) look_at_readiness(now_ns);
  if (phase_ == Phase::Waiting && now_ns >= due_ns_) {
    ++restarts_;
    start(now_ns);
  }
  if (phase_ == Phase::Stopping && now_ns >= due_ns_) {
    tell("{} {}: has not ended in time and is killed", robot_.name, role());
    processes::signal_session(identity_, SIGKILL);
    due_ns_ = now_ns + kSecond_ns;
  }
}

void Child::look_at_death(std::int64_t now_ns) {
  if (is_dying()) return clear(now_ns);
  pollfd look{.fd = watch_, .events = POLLIN, .revents = 0};
  if (poll(&look, 1, 0) > 0) begin_to_clear(now_ns);
}

void Child::begin_to_clear(std::int64_t now_ns) {
  died_ns_ = now_ns;
  clear(now_ns);
}

// Kills what it left behind, again at each look until nobody of its session lives: while we look, they may
// fork.
void Child::clear(std::int64_t now_ns) {
  if (processes::signal_session(identity_, SIGKILL) > 0) {
    if (now_ns - died_ns_ < kLongestClearing_ns) return;
    tell("{} {}: some of its processes cannot be killed", robot_.name, role());
  }
  const std::int64_t died_ns = std::exchange(died_ns_, 0);
  note_death(died_ns, reap());
}

// How it ended. While it is not reaped its pid, and so its session, belongs to nobody else.
std::string Child::reap() const {
  int status = 0;
  if (!is_our_child_ || waitpid(identity_.pid, &status, WNOHANG) != identity_.pid) return "ended";
  if (WIFSIGNALED(status))
    return fmt::format("was killed by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  return fmt::format("ended with status {}", WEXITSTATUS(status));
}

void Child::note_death(std::int64_t now_ns, const std::string& how) {
  if (watch_ >= 0) close(watch_);
  watch_ = -1;
  unlink(ready_path_.c_str());
  const std::string cause = std::exchange(cause_, {});
  if (phase_ == Phase::Stopping) {
    phase_ = Phase::Ended;
    tell("{} {}: {}", robot_.name, role(), how);
    return;
  }
  const std::int64_t lived_ns = now_ns - started_ns_;
  decide_after_death(now_ns, lived_ns,
                     cause.empty() ? fmt::format("{} after {}", how, duration_text(lived_ns)) : cause);
}

void Child::decide_after_death(std::int64_t now_ns, std::int64_t lived_ns, const std::string& life) {
  const auto delay_ns = counter_.delay_after_death_ns(lived_ns);
  if (is_on_trial_ || !delay_ns) {
    phase_ = Phase::GaveUp;
    word_ = is_on_trial_ ? life
                         : fmt::format("{} quick deaths in a row, the last: {}; 'sinew start' tries again",
                                       counter_.quick_deaths(), life);
    tell("{} {}: gave up: {}", robot_.name, role(), word_);
    return;
  }
  phase_ = Phase::Waiting;
  due_ns_ = now_ns + *delay_ns;
  word_ = life;
  tell("{} {}: {}; starts anew in {}", robot_.name, role(), life, duration_text(*delay_ns));
}

bool Child::says_ready() const {
  std::array<char, 6> text{};
  const int descriptor = open(ready_path_.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0) return false;
  const ssize_t size = read(descriptor, text.data(), 5);
  close(descriptor);
  return size == 5 && std::strcmp(text.data(), "ready") == 0;
}

void Child::look_at_readiness(std::int64_t now_ns) {
  // killed already: its death follows
  if (!cause_.empty()) return;
  const std::int64_t age_ns = now_ns - started_ns_;
  if (plan_.says_ready ? says_ready() : age_ns >= processes::kSettle_ns) {
    phase_ = Phase::Running;
    tell("{} {}: ready after {}, pid {}", robot_.name, role(), duration_text(age_ns), identity_.pid);
  } else if (age_ns > robot_.ready_within_ns) {
    cause_ = fmt::format("was not ready within {} and was killed", duration_text(robot_.ready_within_ns));
    processes::signal_session(identity_, SIGKILL);
  }
}

void Child::ask_to_end(std::int64_t now_ns, std::int64_t grace_ns) {
  if (!has_process()) {
    phase_ = Phase::Ended;
    return;
  }
  processes::signal_session(identity_, SIGTERM);
  phase_ = Phase::Stopping;
  due_ns_ = now_ns + grace_ns;
}

void Child::write_files() const {
  if (watch_ < 0) return;
  if (processes::make_pid_file(pid_path_)) {
    const int descriptor = open(pid_path_.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
    if (descriptor >= 0 && !processes::write_pid(descriptor, {.identity = identity_, .restarts = restarts_}))
      tell("{} {}: {} cannot be written", robot_.name, role(), pid_path_);
    if (descriptor >= 0) close(descriptor);
  }
  if (phase_ == Phase::Running) write_heading(ready_path_, "ready\n");
  write_heading(log_path_,
                fmt::format("--- {} the log was removed; what {} says is lost until it starts anew\n",
                            time_text(), role()));
}

void Child::try_again(std::int64_t now_ns) {
  if (phase_ != Phase::GaveUp && phase_ != Phase::Waiting) return;
  counter_.forget();
  ++restarts_;
  start(now_ns);
}

std::int64_t Child::next_look_ns() const {
  if (is_dying()) return 0;
  switch (phase_) {
    case Phase::Starting:
      return 0;
    case Phase::Waiting:
    case Phase::Stopping:
      return due_ns_;
    default:
      return kNever_ns;
  }
}

std::string Child::note() const {
  return has_process() ? processes::note_in(ready_path_) : std::string();
}

std::string Child::last_words() const {
  return processes::last_lines(log_path_, 12, log_start_);
}

}  // namespace sinew::supervisor
