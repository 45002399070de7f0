// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace sinew {

/// Joints that one robot may have.
inline constexpr std::size_t kMaxJoints = 64;

/// One number per joint, in the order of the robot's model; entries beyond joint_count are zero.
using JointArray = std::array<double, kMaxJoints>;

/// How the controller goes from where a joint is to the position wanted of it.
enum class Smoothing : std::uint32_t {
  JerkLimited = 0,  ///< Online generator within velocity, acceleration and jerk limits (the default).
  FirstOrder = 1,   ///< First-order filter with the time constant of the robot's configuration.
  Direct = 2,       ///< As given: for senders that smooth themselves. Limits and guard still apply.
  Compliant = 3,    ///< First-order filter that starts from the encoder, so the joint yields.
};

/// Wanted joint positions, from one program on its own channel `ref/<who>`.
///
/// A reference without a lease is a target: it stays wanted until replaced, also after its sender has ended.
/// With a lease it is one sample of a stream, and when the stream falls silent the joints stop smoothly.
struct alignas(8) JointReference {
  static constexpr std::uint32_t kVersion = 1;

  std::int64_t stamp_ns = 0;     ///< When this was decided (robot time).
  std::int64_t lease_ns = 0;     ///< How long it holds after stamp_ns; zero: until replaced.
  std::uint64_t joint_mask = 0;  ///< Bit i: joint i is meant; the others keep what they had.
  Smoothing smoothing = Smoothing::JerkLimited;
  std::uint32_t reserved = 0;
  JointArray position{};  ///< [rad, m]
};
static_assert(std::is_trivially_copyable_v<JointReference> && sizeof(JointReference) == 32 + 8 * kMaxJoints,
              "JointReference crosses processes: raise kVersion when its layout changes");

// What a device may complain of, in JointState::fault_bits.
inline constexpr std::uint32_t kFaultLost = 1;       // no answer, or the connection is gone
inline constexpr std::uint32_t kFaultWatchdog = 2;   // stopped by itself because commands stayed away
inline constexpr std::uint32_t kFaultDrive = 4;      // an amplifier or a drive reports an error
inline constexpr std::uint32_t kFaultEmergency = 8;  // the emergency stop is pressed
inline constexpr std::uint32_t kFaultNotHomed = 16;  // where the joints are is not known yet
inline constexpr std::uint32_t kFaultNonsense = 32;  // the device said something that cannot be

/// Published by the controller once per cycle. Revolute joints in rad, prismatic joints in m.
struct alignas(8) JointState {
  static constexpr std::uint32_t kVersion = 1;

  std::int64_t stamp_ns = 0;        ///< When the encoders were sampled (robot time).
  std::uint64_t measured_mask = 0;  ///< Bit i: joint i was measured; the rest hold their last value.
  std::uint32_t joint_count = 0;    ///< Entries in use; the rest are zero.
  std::uint32_t fault_bits = 0;     ///< kFault… of the device; zero when healthy.
  JointArray position{};            ///< [rad, m]
  JointArray velocity{};            ///< [rad/s, m/s]
  JointArray load{};                ///< [A] As the device reports it; zero where load_mask is clear.
  std::uint64_t load_mask = 0;      ///< Bit i: load[i] was measured.
};
static_assert(std::is_trivially_copyable_v<JointState> && sizeof(JointState) == 32 + 3 * 8 * kMaxJoints,
              "JointState crosses processes: raise kVersion when its layout changes");

/// What the driver was told this cycle, on the channel `processed`; and what an outside device is told, on
/// `device/command`.
struct alignas(8) JointCommand {
  static constexpr std::uint32_t kVersion = 1;

  std::int64_t stamp_ns = 0;      ///< When it was decided (robot time).
  std::uint64_t cycle = 0;        ///< Counts the controller's cycles.
  std::uint64_t moved_mask = 0;   ///< Bit i: joint i has a motor in use; the device leaves the others alone.
  std::uint64_t held_mask = 0;    ///< Bit i: the guard or a stop holds joint i back from what was wanted.
  std::uint32_t joint_count = 0;  ///< Entries in use; the rest are zero.
  std::uint32_t is_enabled = 0;   ///< 1: drives on; 0: stay, hold brakes.
  JointArray position{};          ///< [rad, m]
  JointArray velocity{};          ///< [rad/s, m/s]
  JointArray acceleration{};      ///< [rad/s^2, m/s^2]
  JointArray wanted{};            ///< [rad, m] What the mux chose, before limits, smoothing and guard.
};
static_assert(std::is_trivially_copyable_v<JointCommand> && sizeof(JointCommand) == 40 + 4 * 8 * kMaxJoints,
              "JointCommand crosses processes: raise kVersion when its layout changes");

/// A piece of a planned motion, from the motion service on the channel `segments`: a polynomial in time for
/// each joint, q(t) = c0 + c1 t + … + c5 t^5, t [s] from start_ns. Already within limits: it is checked and
/// guarded, never smoothed again. The pieces of a motion have the same number and the same joints, each
/// begins where and when the one before ends, and all are sent before they begin.
struct alignas(8) Segment {
  static constexpr std::uint32_t kVersion = 1;

  std::int64_t stamp_ns = 0;     ///< When it was planned (robot time).
  std::int64_t start_ns = 0;     ///< When it begins (robot time).
  std::int64_t duration_ns = 0;  ///< How long it lasts.
  std::uint64_t joint_mask = 0;  ///< Bit i: joint i is meant.
  std::uint64_t motion = 0;      ///< Not zero; the request that it serves. A higher one replaces a lower one.
  std::uint32_t is_last = 0;     ///< 1: the motion ends with it, at rest.
  std::uint32_t reserved = 0;
  JointArray c0{};  ///< [rad, m]
  JointArray c1{};  ///< [rad/s, m/s]
  JointArray c2{};  ///< [rad/s^2, m/s^2]
  JointArray c3{};  ///< [rad/s^3, m/s^3]
  JointArray c4{};  ///< [rad/s^4, m/s^4]
  JointArray c5{};  ///< [rad/s^5, m/s^5]
};
static_assert(std::is_trivially_copyable_v<Segment> && sizeof(Segment) == 48 + 6 * 8 * kMaxJoints,
              "Segment crosses processes: raise kVersion when its layout changes");

}  // namespace sinew
