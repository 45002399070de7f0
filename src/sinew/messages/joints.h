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

/// Published by the controller once per cycle. Revolute joints in rad, prismatic joints in m.
struct alignas(8) JointState {
  static constexpr std::uint32_t kVersion = 1;

  std::int64_t stamp_ns = 0;        ///< When the encoders were sampled (robot time).
  std::uint64_t measured_mask = 0;  ///< Bit i: joint i was measured; the rest hold their last value.
  std::uint32_t joint_count = 0;    ///< Entries in use; the rest are zero.
  std::uint32_t fault_bits = 0;     ///< Flags of the driver; zero when healthy.
  JointArray position{};            ///< [rad, m]
  JointArray velocity{};            ///< [rad/s, m/s]
  JointArray load{};                ///< [A] As the device reports it; zero where load_mask is clear.
  std::uint64_t load_mask = 0;      ///< Bit i: load[i] was measured.
};
static_assert(std::is_trivially_copyable_v<JointState> && sizeof(JointState) == 32 + 3 * 8 * kMaxJoints,
              "JointState crosses processes: raise kVersion when its layout changes");

}  // namespace sinew
