// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

namespace sinew {

/// What the controller is doing.
enum class ControlState : std::uint32_t {
  Starting = 0,  ///< Waits for the device to say where its joints are.
  Homing = 1,    ///< The device looks for its references.
  Running = 2,   ///< Wishes are carried out.
  Held = 3,      ///< Stands still and wants a reset: so it comes up after a restart.
  Stopped = 4,   ///< Somebody pressed stop; a reset lets it run again.
  Faulted = 5,   ///< The device or the controller is not well; mend it, then reset.
};

/// Why the robot, or a joint of it, does not do what is wanted.
enum class StopReason : std::uint32_t {
  None = 0,
  Requested = 1,       ///< Somebody asked for a stop.
  SelfCollision = 2,   ///< Two links of the robot would come too near.
  WorldCollision = 3,  ///< A link would come too near to an object.
  JointLimit = 4,      ///< A planned motion would have carried a joint past its limit.
  StaleState = 5,      ///< The device has not said where it is for too long.
  DeviceFault = 6,     ///< The device reports a fault.
  NotANumber = 7,      ///< The device reported NaN or an infinity.
  LeaseExpired = 8,    ///< A stream fell silent.
  Restarted = 9,       ///< The controller was started anew while the robot was up.
  TrackingError = 10,  ///< A joint is too far from where it was sent.
  Workspace = 11,      ///< A link or tool would leave its allowed space.
  MotionBroken = 12,   ///< A planned motion was not continued in time.
  UnknownWorld = 13,   ///< The world that was there at the start cannot be read: obstacles may be anywhere.
  WriterDead = 14,     ///< The program that sent a planned motion has died.
  ChannelsGone = 15,   ///< The channels were removed while the robot ran: nobody could stop it by them.
};

/// Why an input was not taken.
enum class Refusal : std::uint32_t {
  None = 0,
  NotANumber = 1,    ///< NaN or an infinity.
  UnknownJoint = 2,  ///< The mask names joints that the robot does not have, or none.
  NotEnabled = 3,    ///< The joint's motor is not in use.
  OutOfLimits = 4,   ///< Beyond the joint's limits.
  Stale = 5,         ///< Its lease had run out, or its stamp lies in the future.
  BadValue = 6,      ///< An enumerator or a count that does not exist.
  NotAllowed = 7,    ///< A part with a higher priority commands the joint.
  TooFast = 8,       ///< A segment beyond velocity, acceleration or jerk limits.
  Late = 9,          ///< A segment that was to begin before now.
  DoesNotJoin = 10,  ///< A segment that does not go on where what comes before it ends.
  NoRoom = 11,       ///< A segment that the queue has no room for.
  MotionOver = 12,   ///< A segment of a motion that has been refused, ended or replaced.
  NotRunning = 13,   ///< A segment for a robot that does not run.
};

/// What the value and the bound of a refusal are.
enum class Quantity : std::uint32_t {
  Position = 0,      ///< [rad, m]
  Velocity = 1,      ///< [rad/s, m/s]
  Acceleration = 2,  ///< [rad/s^2, m/s^2]
  Jerk = 3,          ///< [rad/s^3, m/s^3]
  Time = 4,          ///< [s]
};

/// How a planned motion ended.
enum class MotionEnd : std::uint32_t {
  None = 0,      ///< None has.
  Done = 1,      ///< At rest, where its last segment leads.
  Refused = 2,   ///< It could not begin; `last_refusal` says why.
  Replaced = 3,  ///< By a motion with a higher number.
  Taken = 4,     ///< Somebody's reference took a joint of it.
  Held = 5,      ///< By the guard, or before a joint limit.
  Broken = 6,    ///< Its next segment did not come in time.
  Stopped = 7,   ///< The robot was stopped or failed.
  Orphaned = 8,  ///< The program that sent it has died.
  Halted = 9,    ///< Somebody asked for the end of all motions.
};

/// Published by the controller whenever it changes, and a few times a second.
struct alignas(8) Safety {
  static constexpr std::uint32_t kVersion = 2;

  std::int64_t stamp_ns = 0;  ///< When this was written (robot time).
  std::int64_t since_ns = 0;  ///< When `state` was entered (robot time).
  ControlState state = ControlState::Starting;
  StopReason reason = StopReason::None;  ///< Of `state`, or of holding the joints in held_mask.
  std::uint64_t held_mask = 0;           ///< Bit i: joint i is held back by the guard.
  double distance = 0.0;                 ///< [m] Between the two below, along the way that was refused.
  double margin = 0.0;  ///< [m] How far apart they must stay; of TrackingError: the effort [N·m, N] that the
                        ///< motor can give and gives, zero when that is not known.
  std::array<double, 3> point_a{};  ///< [m] Where on link_a, in the world.
  std::array<double, 3> point_b{};  ///< [m] Where on link_b or the object, in the world.
  std::array<char, 48> link_a{};    ///< Link that would come too near; of TrackingError: that touches.
  std::array<char, 48> link_b{};    ///< The other link, or the object; of TrackingError: what it touches.
  std::array<char, 32> who{};       ///< Who asked, died, or whose stream fell silent; empty: the controller.
  std::uint32_t joint = 0;          ///< With JointLimit, NotANumber, TrackingError: which.
  std::uint32_t is_overridden = 0;  ///< 1: an expert has switched the guard off.
  double value = 0.0;               ///< Of that joint [rad, m].
  double bound = 0.0;               ///< What it should not have passed [rad, m].
  std::array<char, 32> overridden_by{};  ///< Who did so.
  std::uint64_t overrides = 0;           ///< How often the guard has been overridden since the start.
  std::uint64_t refusals = 0;            ///< Inputs not taken since the start.
  Refusal last_refusal = Refusal::None;
  std::uint32_t refused_joint = 0;     ///< Which joint it was about, where it was about one.
  double refused_value = 0.0;          ///< What was asked of it, as refused_quantity says.
  double refused_bound = 0.0;          ///< The limit that it passed, or what it should have been.
  std::array<char, 32> refused_who{};  ///< Whose input it was.
  std::array<char, 128> recording{};   ///< File with the last ten seconds before the stop; empty: none yet.
  Quantity refused_quantity = Quantity::Position;
  MotionEnd motion_end = MotionEnd::None;  ///< How `ended_motion` ended.
  std::uint64_t refused_motion = 0;        ///< The number of the motion that a refused segment is of.
  std::uint64_t motion = 0;                ///< The planned motion that began last and runs; zero: none.
  std::uint64_t ended_motion = 0;          ///< The planned motion that ended last; zero: none yet.
  std::int64_t motion_delay_ns = 0;        ///< By how much motions run late: cycles that the system skipped.
};
static_assert(std::is_trivially_copyable_v<Safety> && sizeof(Safety) == 520,
              "Safety crosses processes: raise kVersion when its layout changes");

/// What people ask of the controller itself.
enum class ControlVerb : std::uint32_t {
  Stop = 0,      ///< Brake now and stand; taken from the channel `stop`, open to everybody of the machine.
  Reset = 1,     ///< After a stop, hold or mended fault: run again, from where the robot is.
  Home = 2,      ///< Let the device find its references.
  Override = 3,  ///< Switch the guard off for lease_ns; taken from the channel `override` alone.
  Enforce = 4,   ///< Switch it on again.
  Halt = 5,      ///< End all motions and brake now, as Stop does, and go on running: nothing is to be reset.
};

/// On the channels `stop`, `command` and `override`: the file's rights say who may.
struct alignas(8) ControlRequest {
  static constexpr std::uint32_t kVersion = 1;

  std::int64_t stamp_ns = 0;  ///< When it was asked (robot time).
  std::int64_t lease_ns = 0;  ///< Override: how long.
  ControlVerb verb = ControlVerb::Stop;
  std::uint32_t reserved = 0;
  std::array<char, 32> who{};     ///< For people to see; the right lies in the file.
  std::array<char, 64> reason{};  ///< In the sender's words.
};
static_assert(std::is_trivially_copyable_v<ControlRequest> && sizeof(ControlRequest) == 120,
              "ControlRequest crosses processes: raise kVersion when its layout changes");

}  // namespace sinew
