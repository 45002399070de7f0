// SPDX-License-Identifier: BSD-3-Clause
// sinew demo --wave: a simulated robot that waves, in the reader.
#include <array>
#include <limits>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apps/cli/demo.h"
#include "apps/cli/demo_robot.h"
#include "apps/cli/joint_motion.h"
#include "apps/cli/read.h"
#include "apps/cli/terminal.h"

namespace sinew::cli {
namespace {

constexpr const char* kDemoRobot = "mds";
constexpr const char* kDemoWorld = "mds";

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

}  // namespace

Status run_wave_demo(const DemoOptions& options, std::ostream& out) {
  // Ctrl-C at any moment ends the robot, too
  const SignalWatch signals;
  DemoRobot running({.robot = kDemoRobot, .space = options.space, .world = {"--world", kDemoWorld}});
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

}  // namespace sinew::cli
