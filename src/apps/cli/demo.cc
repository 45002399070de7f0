// SPDX-License-Identifier: BSD-3-Clause
// sinew demo: a robot that waves, in the reader.
#include "apps/cli/demo.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
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
/// What moves: a device that does as it is told.
constexpr const char* kDemoDriver = "ideal";
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

/// The robot's controller as a child; ended with this object, and what it leaves is taken away.
class DemoRobot {
 public:
  explicit DemoRobot(std::string space) : space_(std::move(space)), log_(std::tmpfile(), std::fclose) {
    pid_ = fork();
    if (pid_ == 0) become_controller();
  }
  ~DemoRobot() {
    end();
    supervisor::remove_unused_channels(space_, std::string(kDemoRobot) + "/");
  }
  DemoRobot(const DemoRobot&) = delete;
  DemoRobot& operator=(const DemoRobot&) = delete;

  /// Waits until it runs.
  Result<RobotLink> link(const SignalWatch& signals) {
    const std::int64_t deadline_ns = monotonic_now_ns() + kBeginsWithin_ns;
    while (monotonic_now_ns() < deadline_ns && !signals.has_come()) {
      if (waitpid(pid_, nullptr, WNOHANG) == pid_) {
        pid_ = 0;
        return Error{ErrorCode::SystemFailure, "the controller did not start:\n" + log_text()};
      }
      auto robot = RobotLink::open({.robot = kDemoRobot, .space = space_, .who = "demo"});
      if (robot && robot->now().safety.state == ControlState::Running) return robot;
      const timespec pause{.tv_sec = 0, .tv_nsec = 50 * kMillisecond_ns};
      nanosleep(&pause, nullptr);
    }
    if (signals.has_come()) return Error{ErrorCode::Interrupted, "ended before the controller was up"};
    return Error{ErrorCode::TimedOut, "the controller does not come up:\n" + log_text()};
  }

 private:
  [[noreturn]] void become_controller() const {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    dup2(fileno(log_.get()), STDOUT_FILENO);
    dup2(fileno(log_.get()), STDERR_FILENO);
    // Ctrl-C at the terminal is for the demo, which then ends its controller
    setpgid(0, 0);
    std::error_code error;
    const auto program =
        std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / "sinew-controller";
    execl(program.c_str(), program.c_str(), "--robot", kDemoRobot, "--driver", kDemoDriver, "--space",
          space_.c_str(), nullptr);
    fmt::print(stderr, "cannot run {}\n", program.string());
    _exit(127);
  }

  void end() {
    if (pid_ <= 0) return;
    kill(pid_, SIGTERM);
    const std::int64_t deadline_ns = monotonic_now_ns() + kEndsWithin_ns;
    while (waitpid(pid_, nullptr, WNOHANG) == 0) {
      if (monotonic_now_ns() > deadline_ns) kill(pid_, SIGKILL);
      const timespec pause{.tv_sec = 0, .tv_nsec = 10 * kMillisecond_ns};
      nanosleep(&pause, nullptr);
    }
    pid_ = 0;
  }

  std::string log_text() const {
    std::string text;
    std::rewind(log_.get());
    for (int letter = 0; text.size() < 4000 && (letter = std::fgetc(log_.get())) != EOF;)
      text += static_cast<char>(letter);
    return text;
  }

  std::string space_;
  std::unique_ptr<FILE, int (*)(FILE*)> log_;
  pid_t pid_ = 0;
};

/// Gives the robot its next gesture whenever it has come to rest in the one before.
class Waving {
 public:
  explicit Waving(RobotLink& robot) : robot_(robot) {}

  Status step() {
    const ControlState state = robot_.now().safety.state;
    if (state != ControlState::Running) goal_ = {};
    // a machine too busy for it may miss the device's watchdog
    if (state == ControlState::Faulted) return robot_.ask_controller(ControlVerb::Reset);
    if (state != ControlState::Running || is_under_way()) return Done{};
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
  JointGoal goal_;
  std::size_t next_ = 0;
  int gestures_ = 0;
};

Status wave(const std::string& space, double seconds, std::ostream& out) {
  // Ctrl-C at any moment ends the controller, too
  const SignalWatch signals;
  DemoRobot controller(space);
  auto robot = controller.link(signals);
  if (!robot) return robot.error();
  fmt::print(stderr, "in another terminal: ./sinew console --space {0}; ./sinew channel ls --space {0}\n",
             space);
  Waving waving(*robot);
  Status seen = read_live(*robot, {.seconds = seconds, .on_look = [&] { return waving.step(); }}, out);
  if (!seen) return seen;
  const auto cycles = robot->now().processed.cycle;
  out << fmt::format("{} made {} gestures in {} cycles of its controller.\n", kDemoRobot,
                     waving.gestures_made(), cycles);
  return Done{};
}

Status run_demo(const Words& words, std::ostream& out) {
  const auto seconds = words.number("--seconds", 1, 86'400);
  if (!seconds) return seconds.error();
  const std::string space = words.has("--space") ? words.text("--space") : fmt::format("demo-{}", getpid());
  return wave(space, *seconds, out);
}

}  // namespace

const Command kDemoCommand{
    .name = "demo",
    .summary = "Show a robot that waves",
    .details =
        "Starts the controller of the two-armed robot mds with a device that does as it is told, in a "
        "space of its own, has it wave, and shows its joints in the reader. Ends it and leaves nothing "
        "behind. Without a terminal the table comes as text once a second.",
    .options = {{.name = "--seconds",
                 .value_name = "S",
                 .help = "How long; q and Ctrl-C end earlier.",
                 .fallback = "20"}},
    .examples = {"sinew demo", "sinew demo --seconds 60"},
    .run = run_demo,
};

}  // namespace sinew::cli
