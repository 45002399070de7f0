// SPDX-License-Identifier: BSD-3-Clause
// sinew channel demo: three programs stream joint states into one channel while one of them is killed every
// second.

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ostream>

#include <fmt/format.h>

#include "sinew/base/time.h"
#include "sinew/channels/channel.h"
#include "sinew/messages/schemas.h"

#include "apps/cli/channel_commands.h"
#include "apps/cli/untyped_channel.h"

namespace sinew::cli {
namespace {

constexpr std::size_t kWriters = 3;
constexpr std::size_t kJoints = 6;
constexpr std::int64_t kPeriod_ns = kMillisecond_ns;
constexpr std::int64_t kPicture_ns = kSecond_ns / 10;
constexpr std::int64_t kBetweenKills_ns = kSecond_ns;
const std::string kChannel = "arm/state";

void sleep_until(std::int64_t due_ns) {
  const timespec due{static_cast<time_t>(due_ns / kSecond_ns), static_cast<long>(due_ns % kSecond_ns)};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, nullptr);
}

// An arm that waves. Every load carries the same number, so that a message of two halves would show.
JointState waving_arm(std::int64_t now_ns, double counter) {
  JointState state{.stamp_ns = now_ns, .measured_mask = (1U << kJoints) - 1, .joint_count = kJoints};
  const double seconds = seconds_from_nanoseconds(now_ns);
  for (std::size_t i = 0; i < kJoints; ++i) {
    const double phase = seconds + 0.7 * static_cast<double>(i);
    state.position[i] = std::sin(phase);
    state.velocity[i] = std::cos(phase);
  }
  state.load.fill(counter);
  return state;
}

// Streams until killed, or until the demo that started it is gone.
[[noreturn]] void stream_states(const ChannelPlace& place) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  auto writer = Writer<JointState>::open(place);
  if (!writer) {
    fmt::print(stderr, "sinew channel demo: {}\n", writer.error().message);
    _exit(1);
  }
  std::int64_t due_ns = monotonic_now_ns();
  for (double counter = 1;; ++counter) {
    if (writer->put(waving_arm(due_ns, counter)) != SINEW_OK) _exit(1);
    due_ns = std::max(due_ns + kPeriod_ns, monotonic_now_ns());
    sleep_until(due_ns);
  }
}

// What the reader has seen.
struct Tally {
  std::uint64_t messages = 0;
  std::uint64_t missed = 0;
  std::uint64_t torn = 0;
  std::uint64_t kills = 0;
  std::int64_t slowest_ns = 0;  ///< From put to reader.
  JointState newest;
};

// The three programs that write, and who of them dies next.
class Streamers {
 public:
  explicit Streamers(std::string space) : space_(std::move(space)) {
    for (std::size_t i = 0; i < kWriters; ++i) start(i);
  }
  ~Streamers() {
    for (const pid_t pid : pids_) end(pid);
  }
  Streamers(const Streamers&) = delete;
  Streamers& operator=(const Streamers&) = delete;

  // kill -9 and a successor, which takes over the dead one's place
  void replace_one() {
    end(pids_[turn_]);
    start(turn_);
    turn_ = (turn_ + 1) % kWriters;
  }

 private:
  void start(std::size_t i) {
    const ChannelPlace place{
        .name = kChannel, .space = space_, .sender = fmt::format("arm-{}", i + 1), .depth = 64};
    pids_[i] = fork();
    if (pids_[i] == 0) stream_states(place);
  }

  static void end(pid_t pid) {
    if (pid <= 0) return;
    kill(pid, SIGKILL);
    waitpid(pid, nullptr, 0);
  }

  std::string space_;
  std::array<pid_t, kWriters> pids_{};
  std::size_t turn_ = 0;
};

void count(const Frame<JointState>& frame, std::int64_t now_ns, Tally& tally) {
  ++tally.messages;
  tally.missed += frame.info.missed;
  tally.slowest_ns = std::max(tally.slowest_ns, now_ns - frame.info.stamp_ns);
  const auto& load = frame.message.load;
  if (std::any_of(load.begin(), load.end(), [&](double number) { return number != load[0]; })) ++tally.torn;
  tally.newest = frame.message;
}

std::string bar(double position) {
  std::string line(41, '.');
  line[20] = '|';
  line[static_cast<std::size_t>(std::lround(20 + 20 * std::clamp(position, -1.0, 1.0)))] = 'O';
  return line;
}

void draw(const Tally& tally, double seconds_left, bool is_screen, std::ostream& out) {
  if (is_screen) {
    out << "\033[H\033[J";
    out << fmt::format(
        "Sinew: {} programs write '{}', one of them is killed every second. {:.0f} s left.\n\n", kWriters,
        kChannel, seconds_left);
    for (std::size_t i = 0; i < kJoints; ++i)
      out << fmt::format("  joint {}  {}  {:+.3f} rad\n", i + 1, bar(tally.newest.position[i]),
                         tally.newest.position[i]);
    out << "\n";
  }
  out << fmt::format("messages {:>8}   torn {}   missed {}   kill -9: {}   slowest {:.1f} ms\n",
                     tally.messages, tally.torn, tally.missed, tally.kills,
                     static_cast<double>(tally.slowest_ns) * 1e-6);
  out.flush();
}

Tally follow(Reader<JointState>& reader, Streamers& streamers, std::int64_t end_ns, std::ostream& out) {
  Tally tally;
  const bool is_screen = isatty(STDOUT_FILENO) == 1;
  std::int64_t kill_ns = monotonic_now_ns() + kBetweenKills_ns;
  std::int64_t picture_ns = monotonic_now_ns();
  Frame<JointState> frame;
  while (!stop_requested() && monotonic_now_ns() < end_ns) {
    if (reader.wait(std::min(picture_ns, kill_ns)) == SINEW_OK && reader.read_next(frame) == SINEW_OK)
      count(frame, monotonic_now_ns(), tally);
    const std::int64_t now_ns = monotonic_now_ns();
    if (now_ns >= kill_ns) {
      streamers.replace_one();
      ++tally.kills;
      kill_ns = now_ns + kBetweenKills_ns;
    }
    if (now_ns >= picture_ns) {
      draw(tally, seconds_from_nanoseconds(end_ns - now_ns), is_screen, out);
      picture_ns = now_ns + (is_screen ? kPicture_ns : kSecond_ns);
    }
  }
  return tally;
}

Status run_channel_demo(const Words& words, std::ostream& out) {
  const auto seconds = words.number("--seconds", 1, 86'400);
  if (!seconds) return seconds.error();
  const std::string space = words.has("--space") ? words.text("--space") : fmt::format("demo-{}", getpid());
  catch_stop_signals();
  Tally tally;
  {
    Streamers streamers(space);
    // the streamers make the channel too: whoever is first
    auto reader = Reader<JointState>::open({.name = kChannel, .space = space, .depth = 64}, SINEW_START_NOW);
    if (!reader) return reader.error();
    fmt::print(stderr,
               "in another terminal: ./sinew channel ls --space {0}; ./sinew channel echo {1} --space {0}\n",
               space, kChannel);
    tally = follow(*reader, streamers,
                   deadline_after_ns(monotonic_now_ns(), nanoseconds_from_seconds(*seconds)), out);
  }
  static_cast<void>(sinew_remove(space.c_str(), kChannel.c_str(), nullptr));
  if (!words.has("--space")) rmdir(fmt::format("/dev/shm/sinew-{}", space).c_str());
  out << fmt::format("{} writers killed in mid-stream; {} messages read, {} torn, {} missed.\n", tally.kills,
                     tally.messages, tally.torn, tally.missed);
  if (tally.torn > 0)
    return Error{ErrorCode::Damaged, "torn messages were read: this is a bug, please report it"};
  return Done{};
}

}  // namespace

const Command kChannelDemoCommand{
    .name = "channel demo",
    .summary = "Show a channel that survives the death of its writers",
    .details =
        "Three programs stream the joint states of a waving arm into one channel, a thousand messages a "
        "second "
        "each. Every second one of them is killed with kill -9 and replaced; the reader shows that nothing "
        "is torn or out of order and nobody waits.",
    .options = {{.name = "--seconds",
                 .value_name = "S",
                 .help = "How long; Ctrl-C ends earlier.",
                 .fallback = "12"}},
    .examples = {"sinew channel demo", "sinew channel demo --seconds 60"},
    .run = run_channel_demo,
};

}  // namespace sinew::cli
