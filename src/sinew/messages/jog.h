// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "sinew/messages/joints.h"

namespace sinew {

/// In which axes somebody jogs.
enum class JogFrame : std::uint32_t {
  Joints = 0,  ///< The joints themselves.
  Base = 1,    ///< Axes of the arm's base.
  Tool = 2,    ///< Axes of the tool where it is now.
  User = 3,    ///< Axes of the frame `frame_rpy`, given in the arm's base.
};

/// On the channel `jog`: a key that is held. Sent again and again while it is; when the stream falls silent,
/// the joints stop smoothly.
struct alignas(8) JogWish {
  static constexpr std::uint32_t kVersion = 1;

  std::int64_t stamp_ns = 0;  ///< When this was decided (robot time).
  std::int64_t lease_ns = 0;  ///< How long it holds after stamp_ns, at most 500 ms; zero: 150 ms.
  JogFrame frame = JogFrame::Joints;
  std::uint32_t is_step = 0;          ///< 1: go this far once, and rest there; needs no further wishes.
  double speed = 1.0;                 ///< [1] Share of the limits to use, over 0 to 1.
  std::uint64_t joint_mask = 0;       ///< Joints: bit i: joint i is meant.
  JointArray joint_velocity{};        ///< [rad/s, m/s] Joints; of a step how far [rad, m].
  std::array<double, 3> linear{};     ///< [m/s] Of the tool; of a step how far [m].
  std::array<double, 3> angular{};    ///< [rad/s] Of the tool; of a step how far [rad].
  std::array<double, 3> frame_rpy{};  ///< [rad] User: how its axes lie, R = Rz Ry Rx.
  std::array<char, 32> arm{};         ///< Which; empty when the robot has one.
  std::array<char, 32> tool{};        ///< Which tool frame; empty: the flange.
  std::array<char, 32> who{};         ///< Who jogs.
};
static_assert(std::is_trivially_copyable_v<JogWish> && sizeof(JogWish) == 208 + 8 * kMaxJoints,
              "JogWish crosses processes: raise kVersion when its layout changes");

/// What becomes of a wish.
enum class JogPhase : std::uint32_t {
  Idle = 0,     ///< Nobody jogs.
  Moving = 1,   ///< As wished.
  Slowed = 2,   ///< More slowly, or not yet.
  Stopped = 3,  ///< Not at all: it would lead no further.
  Refused = 4,  ///< The wish cannot be.
};

/// Why a jog is slower than wished, or not carried out.
enum class JogReason : std::uint32_t {
  None = 0,
  Silent = 1,       ///< The stream fell silent.
  JointLimit = 2,   ///< A joint comes to its limit.
  SpeedLimit = 3,   ///< A joint, or the tool, would be too fast.
  Singularity = 4,  ///< In this posture the arm cannot move its tool that way.
  Collision = 5,    ///< Two things would come too near.
  Interrupted = 6,  ///< The controller did something else with the joints.
  Busy = 7,         ///< The joints are on their way already.
  NotAllowed = 8,   ///< Somebody else has control.
  BadWish = 9,      ///< It says something that cannot be.
  NotReady = 10,    ///< The robot does not run.
  OldPress = 11,    ///< Its key has been held since before the motion service began: let go, press anew.
};

/// On the channel `jogging`: written at each change, and ten times a second while somebody jogs.
struct alignas(8) JogState {
  static constexpr std::uint32_t kVersion = 1;

  std::int64_t stamp_ns = 0;  ///< When this was written (robot time).
  std::int64_t wish_ns = 0;   ///< The stamp of the wish it speaks of.
  JogPhase phase = JogPhase::Idle;
  JogReason reason = JogReason::None;
  double share = 0.0;                    ///< [1] Of the velocity wished for that is carried out.
  double smallest_singular_value = 0.0;  ///< Zero at a singularity; of jogs of the tool.
  std::int64_t lead_ns = 0;              ///< How far ahead of time pieces are sent.
  std::uint64_t refusals = 0;            ///< Wishes not taken since the start.
  std::array<char, 32> who{};            ///< Who jogs.
  std::array<char, 256> words{};         ///< The same for people.
};
static_assert(std::is_trivially_copyable_v<JogState> && sizeof(JogState) == 344,
              "JogState crosses processes: raise kVersion when its layout changes");

/// On the channel `hold`: a key is held, and so is what was asked for with its press (Request::hold). Sent
/// again and again while it is; when it is let go, or the stream falls silent, that stops on its path.
struct alignas(8) HoldBeat {
  static constexpr std::uint32_t kVersion = 1;

  std::int64_t stamp_ns = 0;      ///< When the key was still held (robot time); it holds for 150 ms.
  std::uint64_t press = 0;        ///< Which press of a key: a number that is drawn anew for each.
  std::uint32_t is_released = 0;  ///< 1: let go, for good.
  std::uint32_t reserved = 0;
  std::array<char, 32> who{};  ///< Whose hand it is.
};
static_assert(std::is_trivially_copyable_v<HoldBeat> && sizeof(HoldBeat) == 56,
              "HoldBeat crosses processes: raise kVersion when its layout changes");

/// On the channel `clutch`: whether the arm that follows a master follows it now.
struct alignas(8) Clutch {
  static constexpr std::uint32_t kVersion = 1;

  std::int64_t stamp_ns = 0;     ///< When this was decided (robot time).
  std::int64_t lease_ns = 0;     ///< How long it holds after stamp_ns; zero: until the next.
  std::uint32_t is_engaged = 0;  ///< 1: follow; 0: stand.
  std::uint32_t reserved = 0;
  std::array<char, 32> who{};  ///< Whose hand it is.
};
static_assert(std::is_trivially_copyable_v<Clutch> && sizeof(Clutch) == 56,
              "Clutch crosses processes: raise kVersion when its layout changes");

}  // namespace sinew
