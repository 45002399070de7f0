// SPDX-License-Identifier: BSD-3-Clause
#include "apps/cli/lab_templates.h"

#include <array>
#include <utility>

#include <fmt/format.h>

namespace sinew::cli {
namespace {

// @NAME@ and the like are replaced: braces are the languages' own

constexpr std::string_view kPythonController =
    R"~(# @NAME@: says where the hand goes. While a robot runs: ./run [ROBOT [SPACE]]
import math
import sys

import sinew

robot = sinew.LiveRobot(*sys.argv[1:3])  # the only one that runs, unless named
HIGH, LOW, DOWN = 0.25, 0.15, math.pi / 2

for x, y in [(0.30, -0.10), (0.30, 0.10), (0.30, 0.00)]:
    robot.move_to(x, y, HIGH, pitch=DOWN, hand=0.06)  # [m, rad]; returns when it is there
    robot.move_to(x, y, LOW, pitch=DOWN)
    robot.move_to(x, y, HIGH, pitch=DOWN)
print("joints [rad, m]:", [round(q, 3) for q in robot.position])
)~";

constexpr std::string_view kCppController =
    R"~(// @NAME@: says where the hand goes. While a robot runs: ./run [ROBOT [SPACE]]
#include <iostream>

#include "sinew/channels/live_robot.h"

int main(int count, char** words) {
  auto robot = sinew::LiveRobot::open(count > 1 ? words[1] : "@INSTANCE@", count > 2 ? words[2] : "default");
  if (!robot) return std::cerr << robot.error().message << '\n', 1;
  for (const double y : {-0.10, 0.10, 0.00}) {
    for (const double z : {0.25, 0.15, 0.25}) {  // [m, rad]; returns when it is there
      const auto done = robot->move_to({.x = 0.30, .y = y, .z = z, .pitch = 1.5708, .hand = 0.06});
      if (!done) return std::cerr << done.error().message << '\n', 1;
    }
  }
  std::cout << "base joint: " << robot->state()->position[0] << " rad\n";
}
)~";

constexpr std::string_view kPythonIk =
    R"~(# @NAME@: inverse kinematics of your own. 'sinew start' of this folder runs it in place of Sinew's.
import sinew

arm = sinew.Robot("@ROBOT@")


def my_ik(target, now):
    """The joints that bring the grip point to target.x .y .z [m] with .roll .pitch (down is positive) and .yaw [rad];
    None when nothing does. `now`: where the joints are. Write your own here: this one asks Sinew's."""
    try:
        return arm.ik(target.pose, seed=now)
    except sinew.Unreachable:
        return None


sinew.serve_motion(ik=my_ik)
)~";

constexpr std::string_view kPythonPlanner =
    R"~(# @NAME@: a planner of your own. 'sinew start' of this folder runs it in place of Sinew's.
import sinew


def my_plan(start, goal):
    """The postures on the way from start to goal [rad], the goal last. The controller's guard stops whatever would
    touch something; your plan should not. This one goes straight, in two steps."""
    half = [(a + b) / 2 for a, b in zip(start, goal)]
    return [half, goal]


sinew.serve_motion(plan=my_plan)
)~";

constexpr std::string_view kPythonDriver =
    R"~(# @NAME@: a device of your own. 'sinew start' of this folder runs it in place of the simulator.
import sinew

START = [@POSITIONS@]  # [rad, m]
SPEED = [@VELOCITIES@]  # [rad/s, m/s]


def my_motors(position, command, seconds):
    """Where the joints are `seconds` later. Talk to your motors here: these go to their command as fast as they can."""
    return [q + max(-v * seconds, min(v * seconds, wanted - q)) for q, wanted, v in zip(position, command, SPEED)]


sinew.serve_device(my_motors, START, rate=200)
)~";

constexpr std::string_view kPythonRun = R"~(#!/bin/sh
# Runs @NAME@ with Sinew's Python package.
cd "$(dirname "$0")" || exit
PYTHONPATH='@PYTHON@' LD_LIBRARY_PATH='@BUILD@/lib' exec /usr/bin/python3 -B '@NAME@.py' "$@"
)~";

constexpr std::string_view kCppRun = R"~(#!/bin/sh
# Builds @NAME@ when it has changed, and runs it.
cd "$(dirname "$0")" || exit
if [ ! -x '@NAME@' ] || [ '@NAME@.cc' -nt '@NAME@' ]; then
  g++ -std=c++20 -O2 -I'@ROOT@/src' -I'@BUILD@/generated' '@NAME@.cc' -o '@NAME@' \
    -L'@BUILD@/lib' -lsinew_channels -lsinew_messages -lsinew_base -lfmt -pthread || exit
fi
exec './@NAME@' "$@"
)~";

constexpr std::string_view kControllerReadme = R"~(# @NAME@: a controller

```sh
sinew start @ROBOT@ --sim     # a robot, simulated
@NAME@/run                    # this program moves it
sinew stop
```

| file | holds |
|---|---|
| `@NAME@.@ENDING@` | the program: change it and run it again |
| `run` | runs it with all that it needs, wherever you are |

Lengths are in metres, angles in radians; pitch is positive down, so half pi points the hand at the floor. A place that
cannot be reached, or with something in the way, is refused with the reason.
)~";

constexpr std::string_view kPartReadme = R"~(# @NAME@: a part of your own in a robot

This folder is a robot: a copy of @ROBOT@ whose `robot.yaml` names your program under `processes:`.

```sh
sinew start @NAME@ --sim      # from the folder above: all as ever, your part among it
sinew status                  # whether it runs; its log tells what it says
sinew stop
```

| file | holds |
|---|---|
| `@NAME@.py` | your part: change it, then stop and start |
| `robot.yaml`, `robot.urdf` | the robot; `processes:` at the end is what makes the part yours |
| `run` | how the supervisor runs it |

A part that ends is started anew; one that fails six times in a row is left alone, and `sinew status` says why.
)~";

std::string filled(std::string_view text, std::string_view ending, const LabFacts& facts) {
  std::string result(text);
  const std::array<std::pair<std::string_view, std::string_view>, 9> marks{
      {{"@NAME@", facts.name},
       {"@ROBOT@", facts.robot},
       {"@INSTANCE@", facts.instance},
       {"@ROOT@", facts.root},
       {"@PYTHON@", facts.python},
       {"@BUILD@", facts.build},
       {"@POSITIONS@", facts.positions},
       {"@VELOCITIES@", facts.velocities},
       {"@ENDING@", ending}}};
  for (const auto& [mark, value] : marks) {
    for (std::size_t at = result.find(mark); at != std::string::npos;
         at = result.find(mark, at + value.size()))
      result.replace(at, mark.size(), value);
  }
  return result;
}

}  // namespace

std::string lab_program(std::string_view part, bool is_cpp, const LabFacts& facts) {
  if (is_cpp) return part == "controller" ? filled(kCppController, "cc", facts) : std::string();
  const std::array<std::pair<std::string_view, std::string_view>, 4> programs{
      {{"controller", kPythonController},
       {"ik", kPythonIk},
       {"planner", kPythonPlanner},
       {"driver", kPythonDriver}}};
  for (const auto& [name, text] : programs)
    if (name == part) return filled(text, "py", facts);
  return {};
}

std::string lab_processes(std::string_view part) {
  const std::string words = "./run --robot {robot} --name {name} --space {space} --ready-fd {ready_fd}\n";
  if (part == "ik" || part == "planner") return "\nprocesses:\n  motion: " + words;
  if (part == "driver") return "\ncontrol: {rate: 200}\nprocesses:\n  simulator: " + words;
  return {};
}

std::string lab_run_script(bool is_cpp, const LabFacts& facts) {
  return filled(is_cpp ? kCppRun : kPythonRun, is_cpp ? "cc" : "py", facts);
}

std::string lab_readme(std::string_view part, bool is_cpp, const LabFacts& facts) {
  return filled(part == "controller" ? kControllerReadme : kPartReadme, is_cpp ? "cc" : "py", facts);
}

}  // namespace sinew::cli
