// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "sinew/messages/joints.h"

namespace sinew {

// GCC 12 takes an enumerator for a shadow of a type of the same name, such as Trajectory
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
/// What is asked of the motion service.
enum class RequestVerb : std::uint32_t {
  MoveJoints = 0,       ///< Bring the joints in joint_mask to `joints`.
  MoveTool = 1,         ///< Bring the tool to the pose, in the components asked for.
  Solve = 2,            ///< As MoveTool, but only answer with the joints.
  Stop = 3,             ///< End what is being done, smoothly.
  AddObject = 4,        ///< Put the object named in `text` (a line of YAML) into the world.
  RemoveObject = 5,     ///< Take the object named in `text` out of the world.
  MoveLine = 6,         ///< As MoveTool, along a straight line, the rotation spread evenly over it.
  MoveCircle = 7,       ///< As MoveTool, along the circle through `via`.
  Trajectory = 8,       ///< Follow the trajectory on the channel `trajectory` whose number is `number`.
  Pause = 9,            ///< Slow down to a stop on the way, and stay there.
  Resume = 10,          ///< Go on from a pause or the next line of a program; with `hold`: request `number`.
  SetOverride = 11,     ///< Everything planned runs at the share `speed` of its own, from now on.
  TakeControl = 12,     ///< `who` becomes the one who is obeyed; whoever was it stops, and is told.
  LeaveControl = 13,    ///< Anybody who asks next is obeyed.
  RunProgram = 14,      ///< Run the program of `text`, from line `number` (0: the first); see `text`.
  StepProgram = 15,     ///< One statement of the program that is paused; with `text`, begin one, paused.
  SetBreakpoints = 16,  ///< Pause before the lines in `text`, such as "4 17".
  FollowMaster = 17,    ///< The arm follows another's tool, as `text` (a line of YAML) says.
  MoveGripper = 18,     ///< Bring the gripper `text` to the width position[0], or until it holds something.
  MoveTarget = 19,      ///< x, y, z, roll and pitch (down is positive) of the hand, then its width `value`.
  MotorMove = 20,       ///< Turn motor `number` by `value` of its counts.
  MotorSpeed = 21,      ///< Motor `number` (0: all) turns at speed `value` from now on: 1 to 9, 0 fastest.
  MotorPosition = 22,   ///< Answers with the counts of motor `number`.
  MotorsComplete = 23,  ///< Answers with 1 when no motor turns, else with 0.
  MotorOffset = 24,     ///< From now on the counts of motor `number` are `value` at its home switch.
  MotorSwitch = 25,     ///< Answers with 1 when motor `number` presses its home switch, else with 0.
};
#pragma GCC diagnostic pop

/// What becomes of what is being done already.
enum class RequestOrder : std::uint32_t {
  Now = 0,    ///< The joints concerned brake, and begin this from rest.
  After = 1,  ///< It waits until all that was asked before it is done; fails when that fails.
};

/// In which axes a pose is given.
enum class RequestFrame : std::uint32_t {
  Base = 0,  ///< Of the arm.
  Tool = 1,  ///< Of the tool where it is now: a move relative to itself.
  User = 2,  ///< Of the frame `frame_pose`, given in the arm's base.
};

/// On the channel `request`. Its number is its sequence in the channel.
struct alignas(8) Request {
  static constexpr std::uint32_t kVersion = 5;

  std::int64_t stamp_ns = 0;  ///< When it was asked (robot time).
  RequestVerb verb = RequestVerb::MoveJoints;
  RequestFrame frame = RequestFrame::Base;
  std::uint32_t component_mask = 63;       ///< Bits 0 to 5: x, y, z, roll, pitch, yaw must be met.
  std::uint32_t is_legacy = 0;             ///< 1: walk the steps of the MDS algorithm.
  std::array<double, 3> position{};        ///< [m] Of the tool; MoveGripper: the width, first.
  std::array<double, 3> rpy{};             ///< [rad] Its roll, pitch, yaw: R = Rz Ry Rx.
  std::array<double, 3> via_position{};    ///< [m] MoveCircle: a place on the way.
  std::array<double, 3> via_rpy{};         ///< [rad] MoveCircle.
  std::array<double, 3> frame_position{};  ///< [m] RequestFrame::User.
  std::array<double, 3> frame_rpy{};       ///< [rad] RequestFrame::User.
  double speed = 1.0;                      ///< [1] Share of the limits to use, over 0 to 1.
  double tool_speed = 0.0;                 ///< [m/s] At most, along a line or a circle; 0: by the limits.
  double tool_acceleration = 0.0;          ///< [m/s^2] At most; 0: by the limits.
  double duration = 0.0;                   ///< [s] How long it shall take; 0: as `speed` says.
  double blend_radius = 0.0;  ///< [m] May be cut short this far before its goal, when more is queued.
  double value = 0.0;         ///< Where the verb needs one. MoveTarget: [m] below zero: the hand stays.
  std::uint64_t number = 0;   ///< Where the verb needs one.
  std::uint64_t hold = 0;     ///< It runs only while this press is held, see HoldBeat; 0: by itself.
  RequestOrder order = RequestOrder::Now;
  std::uint32_t is_exact = 0;    ///< 1: a pose counts as reached only exactly; 0: within 0.1 mm and 0.1 deg.
  std::uint64_t joint_mask = 0;  ///< MoveJoints: bit i: joint i is meant.
  JointArray joints{};           ///< [rad, m] MoveJoints.
  std::array<char, 32> arm{};    ///< MoveTool, Solve: which; empty when the robot has one.
  std::array<char, 32> tool{};   ///< Which tool frame; empty: the flange.
  std::array<char, 32> who{};    ///< Who asks.
  std::array<char, 512> text{};  ///< Where the verb needs words. A program: its path; behind the hash of
                                 ///< its texts, 16 digits and a blank, another content is refused.
};
static_assert(std::is_trivially_copyable_v<Request> && sizeof(Request) == 1368,
              "Request crosses processes: raise kVersion when its layout changes");

/// How far a request has come.
enum class ReplyStatus : std::uint32_t {
  Accepted = 0,     ///< Being carried out; another reply follows.
  Done = 1,         ///< Reached.
  Unreachable = 2,  ///< No joint positions put the tool there.
  Blocked = 3,      ///< Something is in the way.
  Refused = 4,      ///< The request cannot be.
  Aborted = 5,      ///< Stopped, replaced, or the service was started anew.
  Strayed = 6,      ///< The joints were not where the trajectory had them, beyond its tolerance.
};

/// On the channel `reply`.
struct alignas(8) Reply {
  static constexpr std::uint32_t kVersion = 2;

  std::int64_t stamp_ns = 0;  ///< When it was answered (robot time).
  std::uint64_t request = 0;  ///< The request's sequence.
  ReplyStatus status = ReplyStatus::Accepted;
  std::uint32_t steps = 0;         ///< Of the solver.
  double position_error = 0.0;     ///< [m] In the components asked for; of a gripper's width.
  double rotation_error = 0.0;     ///< [rad] In the components asked for.
  double value = 0.0;              ///< The answer, where the verb asks for a number.
  std::uint64_t joint_mask = 0;    ///< Bit i: joint i is part of the answer.
  JointArray joints{};             ///< [rad, m]
  std::array<char, 256> reason{};  ///< For people.
};
static_assert(std::is_trivially_copyable_v<Reply> && sizeof(Reply) == 824,
              "Reply crosses processes: raise kVersion when its layout changes");

}  // namespace sinew
