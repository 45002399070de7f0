// SPDX-License-Identifier: BSD-3-Clause
// Three writers and five readers, real processes on one channel, killed and stopped at random instants,
// thousands of times. Nobody who is left may be stuck, and nothing may be torn, lost or out of order.
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <thread>

#include <fmt/format.h>

#include "sinew/base/time.h"
#include "sinew/channels/sinew_channel.h"
#include "sinew/channels/test/kill_payload.h"

namespace sinew::channels {
namespace {

constexpr int kWriters = 3;
constexpr int kReaders = 5;
constexpr int kProcesses = kWriters + kReaders;
constexpr std::uint32_t kDepth = 8;
constexpr std::int64_t kHang_ns = 20 * kSecond_ns;

void sleep_us(std::uint64_t microseconds) {
  std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
}

// What each process shows its parent. Shared memory.
struct Pulse {
  std::atomic<std::uint64_t> frames;  ///< Put or received, over all lives.
  std::atomic<std::uint64_t> lives;
  std::array<char, 400> complaint;
  std::atomic<bool> has_complaint;
};

struct Options {
  std::uint64_t rounds = 2000;
  std::uint64_t seed = 1;
};

// One of the eight processes; runs until it is killed.
class Participant {
 public:
  Participant(Pulse& pulse, int index, const std::string& space)
      : pulse_(pulse), index_(index), space_(space) {
    sinew_options_init(&options_);
    options_.space = space_.c_str();
    options_.name = "kill/test";
  }

  [[noreturn]] void run() {
    const std::uint64_t life = pulse_.lives.fetch_add(1) + 1;
    if (index_ < kWriters) {
      write_for_ever(life);
    } else {
      read_for_ever();
    }
  }

 private:
  [[noreturn]] void complain(const std::string& text) {
    std::snprintf(pulse_.complaint.data(), pulse_.complaint.size(), "%s", text.c_str());
    pulse_.has_complaint = true;
    _exit(1);
  }

  [[noreturn]] void write_for_ever(std::uint64_t life) {
    sinew_error error;
    sinew_writer* writer = sinew_writer_open(&options_, &error);
    if (writer == nullptr) complain(fmt::format("writer {}: {}", index_, error.text));
    KillPayload payload;
    payload.writer = life * kWriters + static_cast<std::uint64_t>(index_);
    while (true) {
      for (int i = 0; i < 12; ++i) {
        ++payload.counter;
        payload.fill();
        const int status = sinew_put(writer, &payload, payload.size(), nullptr);
        if (status != SINEW_OK)
          complain(fmt::format("writer {}: put says {}", index_, sinew_status_text(status)));
        pulse_.frames.fetch_add(1, std::memory_order_relaxed);
      }
      // room for the others, who share two cores
      sleep_us(100);
    }
  }

  [[noreturn]] void read_for_ever() {
    sinew_error error;
    sinew_reader* reader = sinew_reader_open(&options_, SINEW_START_OLDEST, &error);
    if (reader == nullptr) complain(fmt::format("reader {}: {}", index_, error.text));
    FrameChecker checker;
    while (true) {
      wait_for_news(reader);
      while (read_one(reader, checker)) pulse_.frames.fetch_add(1, std::memory_order_relaxed);
    }
  }

  // readers 0, 1 and 2 wait, 3 polls its descriptor, 4 looks again and again
  void wait_for_news(sinew_reader* reader) {
    const int kind = index_ - kWriters;
    if (kind == 4) return sleep_us(50);
    if (kind == 3) {
      pollfd descriptor{.fd = sinew_reader_fd(reader), .events = POLLIN, .revents = 0};
      poll(&descriptor, 1, 1000);
      return;
    }
    const int status = sinew_wait(reader, monotonic_now_ns() + kSecond_ns);
    if (status != SINEW_OK && status != SINEW_TIMED_OUT)
      complain(fmt::format("reader {}: wait says {}", index_, sinew_status_text(status)));
  }

  bool read_one(sinew_reader* reader, FrameChecker& checker) {
    KillPayload payload;
    sinew_frame frame;
    const bool wants_newest = index_ - kWriters >= 2 && index_ - kWriters != 3;
    const int status = wants_newest ? sinew_read_fresh(reader, &payload, sizeof payload, &frame)
                                    : sinew_read_next(reader, &payload, sizeof payload, &frame);
    // overtaken by a whole ring sixteen times in a row: no message, and no harm
    if (status == SINEW_NOTHING_NEW || status == SINEW_GONE) return false;
    if (status != SINEW_OK)
      complain(fmt::format("reader {}: read says {}", index_, sinew_status_text(status)));
    const std::string complaint = checker.complaint_about(payload, frame);
    if (!complaint.empty()) complain(fmt::format("reader {}: {}", index_, complaint));
    return true;
  }

  Pulse& pulse_;
  int index_;
  const std::string& space_;
  sinew_options options_{};
};

class KillTest {
 public:
  explicit KillTest(const Options& options)
      : options_(options), random_(options.seed), space_(fmt::format("kill-{}", getpid())) {
    void* shared =
        mmap(nullptr, sizeof(Pulse) * kProcesses, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pulses_ = static_cast<Pulse*>(shared);
  }
  ~KillTest() {
    for (const pid_t pid : pids_) {
      if (pid <= 0) continue;
      kill(pid, SIGKILL);
      waitpid(pid, nullptr, 0);
    }
    std::error_code ignored;
    std::filesystem::remove_all("/dev/shm/sinew-" + space_, ignored);
  }
  KillTest(const KillTest&) = delete;

  bool run() {
    if (!make_channel()) return false;
    for (int i = 0; i < kProcesses; ++i) start(i);
    if (!all_go_on("the start")) return false;
    const std::int64_t started_ns = monotonic_now_ns();
    for (std::uint64_t round = 1; round <= options_.rounds; ++round) {
      if (!run_round(round)) return false;
      if (round % 500 == 0) fmt::print(stderr, "{} of {} rounds\n", round, options_.rounds);
    }
    return channel_is_whole() && summarise(monotonic_now_ns() - started_ns);
  }

 private:
  std::uint64_t pick(std::uint64_t below) { return random_() % below; }

  bool make_channel() {
    sinew_options options;
    sinew_options_init(&options);
    options.space = space_.c_str();
    options.name = "kill/test";
    options.capacity = sizeof(KillPayload);
    options.depth = kDepth;
    options.writers = kWriters;  // none to spare: every new writer has to take over from a dead one
    sinew_error error;
    if (sinew_create(&options, &error) == SINEW_OK) return true;
    fmt::print(stderr, "{}\n", error.text);
    return false;
  }

  void start(int index) {
    const pid_t pid = fork();
    if (pid == 0) Participant(pulses_[index], index, space_).run();
    pids_[static_cast<std::size_t>(index)] = pid;
  }

  bool run_round(std::uint64_t round) {
    const int victim = static_cast<int>(pick(kProcesses));
    const pid_t pid = pids_[static_cast<std::size_t>(victim)];
    sleep_us(pick(1500));
    const std::uint64_t kind = pick(10);
    const std::string event = fmt::format("round {} (process {}, kind {})", round, victim, kind);
    if (kind >= 5) {
      kill(pid, SIGSTOP);
      ++stops_;
      if (!ring_wraps(victim, event)) return false;
    }
    if (kind < 5 || kind == 9) {
      kill_and_replace(victim, pid);
    } else {
      kill(pid, SIGCONT);
    }
    return all_go_on(event);
  }

  void kill_and_replace(int victim, pid_t pid) {
    kill(pid, SIGKILL);
    ++kills_;
    siginfo_t ignored{};
    waitid(P_PID, static_cast<id_t>(pid), &ignored, WEXITED | WNOWAIT);
    // a zombie is as dead as one that has been reaped
    const bool is_reaped_first = pick(2) == 0;
    if (is_reaped_first) waitpid(pid, nullptr, 0);
    start(victim);
    if (!is_reaped_first) waitpid(pid, nullptr, 0);
    if (victim < kWriters) ++takeovers_;
  }

  std::uint64_t frames_put() const {
    std::uint64_t total = 0;
    for (int i = 0; i < kWriters; ++i) total += pulses_[i].frames.load();
    return total;
  }

  template <class Condition>
  bool comes_true(const std::string& what, Condition condition) {
    const std::int64_t give_up_ns = monotonic_now_ns() + kHang_ns;
    while (!condition()) {
      for (int i = 0; i < kProcesses; ++i) {
        if (!pulses_[i].has_complaint) continue;
        fmt::print(stderr, "FAILED at {}: {}\n", what, pulses_[i].complaint.data());
        return false;
      }
      if (monotonic_now_ns() > give_up_ns) {
        fmt::print(stderr, "FAILED at {}: stuck\n", what);
        return false;
      }
      sleep_us(50);
    }
    return true;
  }

  bool ring_wraps(int stopped, const std::string& event) {
    const std::uint64_t before = frames_put();
    return comes_true(fmt::format("{}, process {} being stopped", event, stopped),
                      [&] { return frames_put() > before + 2 * kDepth; });
  }

  bool all_go_on(const std::string& event) {
    std::array<std::uint64_t, kProcesses> before{};
    for (std::size_t i = 0; i < kProcesses; ++i) before[i] = pulses_[i].frames.load();
    for (std::size_t i = 0; i < kProcesses; ++i) {
      const bool goes_on = comes_true(fmt::format("{}, waiting for process {}", event, i),
                                      [&] { return pulses_[i].frames.load() > before[i]; });
      if (!goes_on) return false;
    }
    return true;
  }

  // somebody new can still read, and the sequence numbers count every message put
  bool channel_is_whole() {
    sinew_options options;
    sinew_options_init(&options);
    options.space = space_.c_str();
    options.name = "kill/test";
    sinew_error error;
    sinew_reader* reader = sinew_reader_open(&options, SINEW_START_NEWEST, &error);
    if (reader == nullptr) {
      fmt::print(stderr, "FAILED: the channel is lost: {}\n", error.text);
      return false;
    }
    for (int i = 0; i < kWriters; ++i) kill(pids_[static_cast<std::size_t>(i)], SIGSTOP);
    KillPayload payload;
    sinew_frame frame{};
    const int status = sinew_read_newest(reader, &payload, sizeof payload, &frame);
    sinew_reader_close(reader);
    // each killed or stopped writer may have published one message that it did not come to count
    const std::uint64_t counted = frames_put();
    const bool adds_up =
        frame.sequence + kWriters >= counted && frame.sequence <= counted + kills_ + kWriters;
    if (status == SINEW_OK && adds_up) return true;
    fmt::print(stderr, "FAILED: the newest is message {}, {} were put: {}\n", frame.sequence, counted,
               sinew_status_text(status));
    return false;
  }

  bool summarise(std::int64_t duration_ns) const {
    std::uint64_t received = 0;
    for (int i = kWriters; i < kProcesses; ++i) received += pulses_[i].frames.load();
    fmt::print(
        stderr,
        "{} rounds in {:.1f} s, seed {}: {} kills, {} stops, {} takeovers, {} frames put, {} received; "
        "nobody stuck, nothing torn, lost or out of order\n",
        options_.rounds, seconds_from_nanoseconds(duration_ns), options_.seed, kills_, stops_, takeovers_,
        frames_put(), received);
    return true;
  }

  Options options_;
  std::mt19937_64 random_;
  std::string space_;
  Pulse* pulses_ = nullptr;
  std::array<pid_t, kProcesses> pids_{};
  std::uint64_t kills_ = 0;
  std::uint64_t stops_ = 0;
  std::uint64_t takeovers_ = 0;
};

bool parse(std::string_view text, std::uint64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

constexpr std::string_view kHelp =
    "channels_kill_test [--rounds N] [--seed N]: kills and stops writers and readers of a channel at random\n"
    "instants and checks that nobody else is harmed. 2000 rounds with seed 1 when not told otherwise.\n";

int run_main(int count, char** words) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string_view word = words[i];
    if (word == "--help") {
      fmt::print("{}", kHelp);
      return 0;
    }
    std::uint64_t* number = word == "--rounds" ? &options.rounds : word == "--seed" ? &options.seed : nullptr;
    if (number == nullptr || i + 1 == count || !parse(words[++i], *number)) {
      fmt::print(stderr, "cannot make sense of '{}'\n{}", word, kHelp);
      return 2;
    }
  }
  return KillTest(options).run() ? 0 : 1;
}

}  // namespace
}  // namespace sinew::channels

int main(int count, char** words) {
  return sinew::channels::run_main(count, words);
}
