// SPDX-License-Identifier: BSD-3-Clause
#include "apps/lab/solution.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/time.h"

#include "apps/lab/lab_harness.h"
#include "apps/lab/solution_json.h"

namespace sinew::lab {
namespace {

constexpr const char* kPython = "/usr/bin/python3";
constexpr std::size_t kKeptOutput = 2000;  // [bytes] of what was printed
constexpr double kBusyMachine = 10.0;      // times the patience, for one that computes
constexpr double kLoading = 5.0;           // times as long as an answer may the file take to load

/// Both ends of a pipe, closed when they go.
struct Pipe {
  int read = -1;
  int write = -1;
  /// A socket may be written to after its reader has gone: no signal comes.
  explicit Pipe(bool is_socket) {
    std::array<int, 2> ends{};
    if ((is_socket ? socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data())
                   : pipe2(ends.data(), O_CLOEXEC)) == 0) {
      read = ends[0];
      write = ends[1];
    }
  }
  ~Pipe() {
    for (const int end : {read, write})
      if (end >= 0) close(end);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  static int take(int& end) { return std::exchange(end, -1); }
};

// Between fork and exec: system calls only.
[[noreturn]] void become_solution(char* const* words, const std::array<int, 4>& descriptors,
                                  const SolutionLimits& limits, const SolutionPlace& place) {
  static constexpr std::array<int, 4> kPlaces{0, 2, 3, 4};
  std::array<int, 4> high{};
  // out of the way of the places first
  for (std::size_t i = 0; i < descriptors.size(); ++i) high[i] = fcntl(descriptors[i], F_DUPFD, 10);
  for (std::size_t i = 0; i < descriptors.size(); ++i) dup2(high[i], kPlaces[i]);
  dup2(2, 1);
  static_cast<void>(close_range(5, ~0U, 0));
  setsid();
  // identical runs: no randomness of hashes, no threads that add up in another order
  static char* const kEnvironment[] = {
      const_cast<char*>("PATH=/usr/bin:/bin"),     const_cast<char*>("PYTHONHASHSEED=0"),
      const_cast<char*>("OPENBLAS_NUM_THREADS=1"), const_cast<char*>("OMP_NUM_THREADS=1"),
      const_cast<char*>("LANG=C.UTF-8"),           nullptr};
  if (chdir(place.readable.folder.c_str()) == 0 && give_up_rights(limits, place))
    execve(kPython, words, kEnvironment);
  _exit(126);
}

std::string last_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of(" \n");
  if (end == std::string::npos) return {};
  // npos + 1 is zero: without an end of line, the line is all
  const std::size_t begin = text.rfind('\n', end) + 1;
  std::string line = text.substr(begin, end - begin + 1);
  line.resize(std::min<std::size_t>(line.size(), 160));
  for (char& c : line)
    if (c < ' ' || c > '~') c = '?';
  return line;
}

}  // namespace

Result<std::unique_ptr<Solution>> Solution::start(const std::filesystem::path& file,
                                                  std::span<const std::string_view> functions,
                                                  const SolutionLimits& limits) {
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::absolute(file, error);
  std::unique_ptr<Solution> solution(new Solution(whole, limits));
  std::vector<std::string> words{kPython, "-s", "-P", "-B", "-c", std::string(kLabHarness), whole.string()};
  for (const std::string_view function : functions) words.emplace_back(function);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const SolutionPlace place = solution_place(whole);

  Pipe questions(true);
  Pipe answers(false);
  Pipe output(false);
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing < 0 || questions.read < 0 || answers.read < 0 || output.read < 0)
    return Error{ErrorCode::SystemFailure, fmt::format("no pipes for a solution: {}", std::strerror(errno))};
  const pid_t pid = fork();
  if (pid == 0)
    become_solution(pointers.data(), {nothing, output.write, answers.write, questions.read}, limits, place);
  close(nothing);
  if (pid < 0)
    return Error{ErrorCode::SystemFailure,
                 fmt::format("no process for a solution: {}", std::strerror(errno))};
  solution->pid_ = pid;
  solution->questions_ = Pipe::take(questions.write);
  solution->answers_ = Pipe::take(answers.read);
  solution->output_ = Pipe::take(output.read);
  for (const int end : {solution->questions_, solution->answers_, solution->output_})
    fcntl(end, F_SETFL, O_NONBLOCK);
  return solution;
}

Solution::~Solution() {
  if (pid_ > 0) {
    kill(-pid_, SIGKILL);
    kill(pid_, SIGKILL);
    while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  for (const int end : {questions_, answers_, output_})
    if (end >= 0) close(end);
}

Error Solution::refuse(std::string what) {
  const std::string line = last_line(printed_);
  refusal_ = Error{ErrorCode::InvalidInput,
                   fmt::format("{}: {}{}", file_.filename().string(), what,
                               line.empty() ? "" : fmt::format(" It printed last: {}", line))};
  return *refusal_;
}

Result<Value> Solution::ask(std::string_view function, std::span<const Value> arguments) {
  if (refusal_) return *refusal_;
  if (!is_ready_) {
    const auto line = read_line(kLoading * limits_.seconds_per_answer);
    if (!line) return line.error();
    if (const auto loaded = value_from_line(*line); !loaded) return refuse(loaded.error().message + ".");
    is_ready_ = true;
  }
  if (const Status sent = send(question_line(function, arguments)); !sent) return sent.error();
  const auto line = read_line(limits_.seconds_per_answer);
  if (!line) return line.error();
  auto value = value_from_line(*line);
  if (!value) return refuse(value.error().message + ".");
  return value;
}

Status Solution::send(const std::string& line) {
  std::size_t sent = 0;
  const std::int64_t end_ns = monotonic_now_ns() + nanoseconds_from_seconds(limits_.patience);
  while (sent < line.size()) {
    const ssize_t count = ::send(questions_, line.data() + sent, line.size() - sent, MSG_NOSIGNAL);
    if (count > 0) {
      sent += static_cast<std::size_t>(count);
      continue;
    }
    if (count < 0 && errno != EAGAIN && errno != EINTR) return refuse(death_text());
    if (monotonic_now_ns() > end_ns) return refuse("it does not take its questions.");
    pollfd room{.fd = questions_, .events = POLLOUT, .revents = 0};
    poll(&room, 1, 20);
  }
  return Done{};
}

double Solution::cpu_seconds() const {
  clockid_t clock = 0;
  timespec time{};
  if (clock_getcpuclockid(pid_, &clock) != 0 || clock_gettime(clock, &time) != 0) return 0.0;
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void Solution::take_output() {
  std::array<char, 65536> bytes{};
  ssize_t count = 0;
  while ((count = read(output_, bytes.data(), bytes.size())) > 0) {
    printed_size_ += static_cast<std::size_t>(count);
    printed_.append(bytes.data(), static_cast<std::size_t>(count));
    if (printed_.size() > kKeptOutput) printed_.erase(0, printed_.size() - kKeptOutput);
    if (printed_size_ > limits_.output) return;
  }
  // an end that it has closed would wake us all the time
  if (count == 0) close(std::exchange(output_, -1));
}

bool Solution::take_bytes(int wait_ms) {
  std::array<pollfd, 2> news{
      {{.fd = answers_, .events = POLLIN, .revents = 0}, {.fd = output_, .events = POLLIN, .revents = 0}}};
  poll(news.data(), news.size(), wait_ms);
  take_output();
  std::array<char, 65536> bytes{};
  const ssize_t count = read(answers_, bytes.data(), bytes.size());
  if (count > 0) pending_.append(bytes.data(), static_cast<std::size_t>(count));
  return count != 0;
}

Result<std::string> Solution::read_line(double cpu_bound) {
  const std::int64_t begun_ns = monotonic_now_ns();
  const double cpu_before = cpu_seconds();
  while (true) {
    if (const std::size_t end = pending_.find('\n'); end != std::string::npos) {
      std::string line = pending_.substr(0, end);
      pending_.erase(0, end + 1);
      return line;
    }
    if (pending_.size() > limits_.output)
      return refuse(fmt::format("an answer is longer than {} bytes.", limits_.output));
    if (!take_bytes(50) && pending_.find('\n') == std::string::npos) return refuse(death_text());
    if (printed_size_ > limits_.output) {
      printed_.clear();
      return refuse(
          fmt::format("it prints more than {} bytes; an answer is what a function returns.", limits_.output));
    }
    const double waited = seconds_from_nanoseconds(monotonic_now_ns() - begun_ns);
    if (waited < 0.04) continue;
    const double used = cpu_seconds() - cpu_before;
    if (used > cpu_bound)
      return refuse(
          fmt::format("no answer after {:.3g} s of computing: is there an endless loop?", cpu_bound));
    // on a busy machine a solution that computes gets its time all the same, but not for ever
    const bool is_idle = used < 0.05 * waited;
    if (waited > limits_.patience && is_idle)
      return refuse(fmt::format("no answer within {:.3g} s, and it is not computing: does it sleep or wait?",
                                limits_.patience));
    if (waited > kBusyMachine * limits_.patience)
      return refuse(fmt::format("no answer within {:.3g} s.", kBusyMachine * limits_.patience));
  }
}

std::string Solution::death_text() {
  int status = 0;
  // the pipe may close a moment before the process is gone
  for (int turn = 0; turn < 100; ++turn) {
    const pid_t gone = waitpid(pid_, &status, WNOHANG);
    if (gone == 0) {
      usleep(10'000);
      continue;
    }
    pid_ = -1;
    if (gone < 0) break;
    if (WIFSIGNALED(status))
      return fmt::format("it was ended by signal {} ({}){}", WTERMSIG(status), strsignal(WTERMSIG(status)),
                         WTERMSIG(status) == SIGKILL || WTERMSIG(status) == SIGXCPU
                             ? ": it used too much time or memory."
                             : ".");
    if (WEXITSTATUS(status) == 126) return fmt::format("{} cannot be run under limits here.", kPython);
    return fmt::format("it ended by itself, with exit code {}, before it answered.", WEXITSTATUS(status));
  }
  return "it closed its end before it answered.";
}

}  // namespace sinew::lab
