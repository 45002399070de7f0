// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace sinew {

/// Grippers that a robot may have.
inline constexpr std::size_t kMaxGrippers = 8;

/// What is between a gripper's fingers.
enum class GraspPhase : std::uint32_t {
  Free = 0,      ///< Nothing touches a finger that could be carried.
  Touching = 1,  ///< Something touches a finger.
  Holding = 2,   ///< Fingers press on something from two sides.
};

/// What one gripper has hold of.
struct alignas(8) GripperGrasp {
  static constexpr std::uint32_t kVersion = 1;

  std::array<char, 48> gripper{};  ///< Its name in robot.yaml.
  GraspPhase phase = GraspPhase::Free;
  std::uint32_t is_assisted = 0;  ///< 1: the simulator holds the thing fast, because its world says so.
  double force = 0.0;             ///< [N] With which the fingers press; of two sides the weaker.
  std::array<char, 48> object{};  ///< What they touch or hold; empty: nothing.
};
static_assert(std::is_trivially_copyable_v<GripperGrasp> && sizeof(GripperGrasp) == 112,
              "GripperGrasp crosses processes: raise kVersion when its layout changes");

/// On the channel `sensor/grasp`, at each change and 20 times a second: what the grippers hold.
struct alignas(8) GraspState {
  static constexpr std::uint32_t kVersion = 1;

  std::int64_t stamp_ns = 0;  ///< When it was so (robot time).
  std::uint32_t gripper_count = 0;
  std::uint32_t reserved = 0;
  std::uint64_t assisted_grasps = 0;  ///< How many were assisted since the world began.
  std::array<GripperGrasp, kMaxGrippers> grippers{};
};
static_assert(std::is_trivially_copyable_v<GraspState> && sizeof(GraspState) == 24 + 112 * kMaxGrippers,
              "GraspState crosses processes: raise kVersion when its layout changes");

/// On the channel `sensor/contacts`: two things begin to touch, or have ceased to.
struct alignas(8) ContactEvent {
  static constexpr std::uint32_t kVersion = 1;

  std::int64_t stamp_ns = 0;      ///< When it was seen (robot time).
  std::uint32_t is_touching = 0;  ///< 1: they begin to touch; 0: they no longer do.
  std::uint32_t pair_count = 0;   ///< Pairs that touch from then on.
  std::array<char, 96> a{};       ///< "ROBOT/link", an object's name, or "floor".
  std::array<char, 96> b{};       ///< The other one.
};
static_assert(std::is_trivially_copyable_v<ContactEvent> && sizeof(ContactEvent) == 208,
              "ContactEvent crosses processes: raise kVersion when its layout changes");

}  // namespace sinew
