// SPDX-License-Identifier: BSD-3-Clause
// sinew demo: a simulated robot that waves, in the reader.
#include "apps/cli/demo.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sinew/base/time.h"

#include "apps/cli/joint_motion.h"
#include "apps/cli/read.h"
#include "apps/cli/terminal.h"
#include "apps/supervisor/leftovers.h"

namespace sinew::cli {
namespace {

constexpr const char* kDemoRobot = "mds";
constexpr const char* kDemoWorld = "mds";
constexpr std::int64_t kBeginsWithin_ns = 20 * kSecond_ns;
constexpr std::int64_t kEndsWithin_ns = 5 * kSecond_ns;

/// Where some joints are to go [rad].
using Gesture = std::vector<std::pair<std::string_view, double>>;

/// It raises its right hand, waves and looks about.
const std::array<Gesture, 5>& gestures() {
  static const std::array<Gesture, 5> kGestures{{
      {{"RSP", -0.8}, {"RSR", -1.2}, {"RSY", 0.2}, {"REP", -1.9}, {"NKY", -0.3}, {"WST", -0.1}},
      {{"RSY", 0.7}, {"RWR", 0.4}, {"NKR", 0.15}},
      {{"RSY", -0.1}, {"RWR", -0.4}, {"NKR", -0.15}},
      {{"RSY", 0.7}, {"RWR", 0.4}, {"NKY", 0.3}, {"WST", 0.1}},
      {{"RSY", 0.15}, {"RWR", 0.0}, {"RSP", -0.445}, {"RSR", -1.18}, {"REP", -1.25}, {"NKY", 0.0}},
  }};
  return kGestures;
}

/// A program of ours as a child; ended with this object.
class DemoProcess {
 public:
  explicit DemoProcess(std::vector<std::string> words) : log_(std::tmpfile(), std::fclose) {
    pid_ = fork();
    if (pid_ == 0) become(std::move(words));
  }
  ~DemoProcess() { end(); }
  DemoProcess(const DemoProcess&) = delete;
  DemoProcess& operator=(const DemoProcess&) = delete;

  bool has_ended() {
    if (pid_ > 0 && waitpid(pid_, nullptr, WNOHANG) == pid_) pid_ = 0;
    return pid_ <= 0;
  }

  /// What it said, at most 4000 letters.
  std::string log_text() const {
    std::string text;
    std::rewind(log_.get());
    for (int letter = 0; text.size() < 4000 && (letter = std::fgetc(log_.get())) != EOF;)
      text += static_cast<char>(letter);
    return text;
  }

  void end() {
    if (has_ended()) return;
    kill(pid_, SIGTERM);
    const std::int64_t deadline_ns = monotonic_now_ns() + kEndsWithin_ns;
    while (!has_ended()) {
      if (monotonic_now_ns() > deadline_ns) kill(pid_, SIGKILL);
      const timespec pause{.tv_sec = 0, .tv_nsec = 10 * kMillisecond_ns};
      nanosleep(&pause, nullptr);
    }
  }

 private:
  [[noreturn]] void become(std::vector<std::string> words) const {
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

  std::unique_ptr<FILE, int (*)(FILE*)> log_;
  pid_t pid_ = 0;
};

/// The robot with its world and its controller; what they leave is taken away.
class DemoRobot {
 public:
  explicit DemoRobot(const std::string& space)
      : space_(space),
        simulator_({"sinew-simulator", "--world", kDemoWorld, "--space", space}),
        controller_({"sinew-controller", "--robot", kDemoRobot, "--space", space}) {}
  ~DemoRobot() {
    // the controller first: it brakes the robot, and the world must go on for that
    controller_.end();
    simulator_.end();
    supervisor::remove_unused_channels(space_, std::string(kDemoRobot) + "/");
  }
  DemoRobot(const DemoRobot&) = delete;
  DemoRobot& operator=(const DemoRobot&) = delete;

  /// Waits until it runs.
  Result<RobotLink> link(const SignalWatch& signals) {
    const std::int64_t deadline_ns = monotonic_now_ns() + kBeginsWithin_ns;
    while (monotonic_now_ns() < deadline_ns && !signals.has_come()) {
      if (simulator_.has_ended())
        return Error{ErrorCode::SystemFailure, "the simulator did not start:\n" + simulator_.log_text()};
      if (controller_.has_ended())
        return Error{ErrorCode::SystemFailure, "the controller did not start:\n" + controller_.log_text()};
      auto robot = RobotLink::open({.robot = kDemoRobot, .space = space_, .who = "demo"});
      if (robot && robot->now().safety.state == ControlState::Running) return robot;
      const timespec pause{.tv_sec = 0, .tv_nsec = 50 * kMillisecond_ns};
      nanosleep(&pause, nullptr);
    }
    if (signals.has_come()) return Error{ErrorCode::Interrupted, "ended before the robot was up"};
    return Error{ErrorCode::TimedOut, "the robot does not come up:\n" + controller_.log_text()};
  }

 private:
  std::string space_;
  DemoProcess simulator_;
  DemoProcess controller_;
};

/// Gives the robot its next gesture whenever it has come to rest in the one before.
class Waving {
 public:
  /// Makes at most so many gestures; none is begun after.
  Waving(RobotLink& robot, int most_gestures) : robot_(robot), most_gestures_(most_gestures) {}

  Status step() {
    const ControlState state = robot_.now().safety.state;
    if (state != ControlState::Running) goal_ = {};
    // a machine too busy for it may miss the device's watchdog
    if (state == ControlState::Faulted) return robot_.ask_controller(ControlVerb::Reset);
    if (state != ControlState::Running || is_under_way()) return Done{};
    is_done_ = gestures_ >= most_gestures_;
    if (is_done_) return Done{};
    goal_ = {};
    for (const auto& [name, position] : gestures()[next_]) {
      const auto joint = joint_to_move(robot_.model(), name);
      if (!joint) return joint.error();
      goal_.mask |= std::uint64_t{1} << *joint;
      goal_.position[*joint] = position;
    }
    // after the first, the hand stays up and waves; at the end of a round it comes down
    next_ = (next_ + 1) % gestures().size();
    ++gestures_;
    return move_joints(robot_, goal_, nullptr);
  }

  int gestures_made() const { return gestures_; }
  /// Whether all have been made, the last of them to its end.
  bool is_done() const { return is_done_; }

 private:
  bool is_under_way() const {
    const JointCommand& command = robot_.now().processed;
    for (std::size_t i = 0; i < command.joint_count; ++i) {
      const bool is_meant = (goal_.mask >> i & 1) != 0;
      if (is_meant && (command.wanted[i] != goal_.position[i] || command.velocity[i] != 0.0)) return true;
      const bool is_held = (command.held_mask >> i & 1) != 0;
      if (is_meant && !is_held && command.position[i] != goal_.position[i]) return true;
    }
    return false;
  }

  RobotLink& robot_;
  int most_gestures_;
  bool is_done_ = false;
  JointGoal goal_;
  std::size_t next_ = 0;
  int gestures_ = 0;
};

struct DemoOptions {
  std::string space;
  double seconds = 0.0;
  bool is_once = false;
  bool is_headless = false;
};

Status wave(const DemoOptions& options, std::ostream& out) {
  // Ctrl-C at any moment ends the robot, too
  const SignalWatch signals;
  DemoRobot running(options.space);
  auto robot = running.link(signals);
  if (!robot) return robot.error();
  fmt::print(stderr, "in another terminal: ./sinew console --space {0}; ./sinew sim pause --space {0}\n",
             options.space);
  Waving waving(*robot,
                options.is_once ? static_cast<int>(gestures().size()) : std::numeric_limits<int>::max());
  Status seen = read_live(*robot,
                          {.seconds = options.seconds,
                           .is_text = options.is_headless,
                           .on_look = [&] { return waving.step(); },
                           .is_done = [&] { return waving.is_done(); }},
                          out);
  if (!seen) return seen;
  if (options.is_once && !waving.is_done())
    return Error{ErrorCode::TimedOut,
                 fmt::format("{} of {} gestures in {} s; --seconds gives it more time",
                             waving.gestures_made(), gestures().size(), options.seconds)};
  out << fmt::format("{} made {} gestures in {} cycles of its controller.\n", kDemoRobot,
                     waving.gestures_made(), robot->now().processed.cycle);
  return Done{};
}

Status run_demo(const Words& words, std::ostream& out) {
  const bool is_once = words.has("--once");
  const auto seconds = words.number("--seconds", 1, 86'400);
  if (!seconds) return seconds.error();
  constexpr double kLongEnough = 300.0;  // for one round, on a machine that does other things as well
  return wave({.space = words.has("--space") ? words.text("--space") : fmt::format("demo-{}", getpid()),
               .seconds = is_once && !words.has("--seconds") ? kLongEnough : *seconds,
               .is_once = is_once,
               .is_headless = words.has("--headless")},
              out);
}

}  // namespace

const Command kDemoCommand{
    .name = "demo",
    .summary = "Show a simulated robot that waves",
    .details =
        "Starts a world of physics with the two-armed robot mds and its controller, in a space of its own, "
        "has "
        "it wave, and shows its joints in the reader. Ends it and leaves nothing behind. Without a terminal "
        "the table comes as text once a second.",
    .options = {{.name = "--seconds",
                 .value_name = "S",
                 .help = "How long; q and Ctrl-C end earlier.",
                 .fallback = "20"},
                {.name = "--once", .value_name = "", .help = "End when every gesture has been made once."},
                {.name = "--headless", .value_name = "", .help = "As text, at a terminal too."}},
    .examples = {"sinew demo", "sinew demo --seconds 60", "sinew demo --headless --once"},
    .run = run_demo,
};

}  // namespace sinew::cli
