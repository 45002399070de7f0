// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sinew/language/motion_word.h"
#include "sinew/language/value.h"

namespace sinew::language {

// What a program wants done, one thing at a time. Everything is resolved: SI units, poses in the base.

/// A tool or frame, by name and as it is when the action is made.
struct FrameChoice {
  std::string name;
  Pose pose;  ///< X_FT of a tool, X_BU of a frame.
};

/// A speed or acceleration.
struct Rate {
  double value = 0.0;  ///< [m/s, m/s²] of the tool, [rad/s, rad/s²] of the fastest joint of a joint move.
  bool is_share = false;  ///< `value` is a share of the limits instead, over 0 to 1.
};

/// How fast, and how exactly. What is not given is up to the limits of the robot.
struct MoveTiming {
  std::optional<double> duration;  ///< [s]; then there is no speed.
  std::optional<Rate> speed;
  std::optional<Rate> acceleration;
  std::optional<double> jerk;  ///< [m/s³, rad/s³]
  double blend_radius =
      0.0;  ///< [m] Zero: the goal is met exactly, at rest unless the way goes on through it.
  SpeedLaw law = SpeedLaw::Default;
};

struct PoseGoal {
  Pose X_BT;
};
/// A way to the goal of a move: joint positions (differences for DMOVEJ), or where the tool shall be.
using MoveGoal = std::variant<JointValues, PoseGoal>;

/// A displacement of the tool, for DMOVE.
struct ToolDisplacement {
  Vector3 translation = Vector3::Zero();  ///< [m]
  Vector3 rotation = Vector3::Zero();     ///< Rotation vector [rad].
  Quaternion R_BA =
      Quaternion::Identity();  ///< The axes A that both are given in, unless they are the tool's.
  bool is_in_tool_axes = false;
};

/// A move. Goals are in the order of the way; MOVEC has two, the first on the way.
struct MoveAction {
  MotionKind kind = MotionKind::Joint;
  Through through = Through::None;
  std::vector<MoveGoal> goals;    ///< Empty for DMOVE.
  ToolDisplacement displacement;  ///< DMOVE.
  FrameChoice tool;
  FrameChoice frame;
  MoveTiming timing;
  std::optional<double> arc;  ///< MOVEC: how far round [rad], counted from the start; nothing: to the goal.
  bool has_until = false;     ///< Interpreter::watch() may end it early.
};

struct WaitAction {
  double duration = 0.0;  ///< [s]
};
/// Until Interpreter::watch() says Satisfied.
struct WaitUntilAction {
  std::optional<double> timeout;  ///< [s]
};
struct OutputAction {
  std::string output;
  std::variant<bool, double> value;
  std::optional<double> pulse;  ///< [s] Then it is switched off again.
};
struct GripperAction {
  std::string gripper;  ///< Empty: the only one.
  GripperKind kind = GripperKind::Open;
  double width = 0.0;           ///< [m]
  std::optional<double> speed;  ///< [m/s]
  std::optional<double> force;  ///< [N]
};
struct PayloadAction {
  double mass = 0.0;               ///< [kg]
  Vector3 p_TC = Vector3::Zero();  ///< Its centre, in the tool [m].
};
struct MessageAction {
  std::string text;
};
enum class PauseReason { Statement, Condition, Asked, SingleStep, Breakpoint };
/// Hold until next() is called again.
struct PauseAction {
  PauseReason reason = PauseReason::Statement;
  std::string text;
};
/// The program is over; the motion stops smoothly.
struct EndAction {
  bool is_failure = false;
  bool is_fault = false;  ///< It failed because it cannot go on, not because it says FAIL.
  std::string text;       ///< Why; empty at the plain end.
};

using ActionBody = std::variant<MoveAction, WaitAction, WaitUntilAction, OutputAction, GripperAction,
                                PayloadAction, MessageAction, PauseAction, EndAction>;

struct Action {
  std::uint64_t number = 0;   ///< Counts up; report() names it.
  std::uint64_t repeats = 0;  ///< The number that it had before an ON interrupted it; 0: it is new.
  Place place;                ///< Of the statement, or of what went wrong.
  std::string id;             ///< P0001 or <1>, where the command has one.
  ActionBody body;
};

}  // namespace sinew::language
