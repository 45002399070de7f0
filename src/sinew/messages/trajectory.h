// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "sinew/messages/joints.h"

namespace sinew {

/// Points that one trajectory may have.
inline constexpr std::uint32_t kMaxTrajectoryPoints = 4096;

// What TrajectoryPart::values holds of each point beside its time and positions, in TrajectoryPart::content.
inline constexpr std::uint32_t kHasVelocities = 1;
inline constexpr std::uint32_t kHasAccelerations = 2;

/// On the channel `trajectory`: some points of a trajectory, which a request with RequestVerb::Trajectory
/// then names by `who` and `number`. All parts are put before the request; their order does not matter.
///
/// Each point is its time since the begin [s], then one number for each joint in the mask, in order:
/// positions [rad, m], then velocities [rad/s, m/s] and accelerations [rad/s^2, m/s^2] where `content` says
/// so.
struct alignas(8) TrajectoryPart {
  static constexpr std::uint32_t kVersion = 1;

  std::int64_t stamp_ns = 0;  ///< When it was put (robot time).
  std::uint64_t number = 0;   ///< Of the trajectory, as its sender counts; a new one for each.
  std::uint32_t first = 0;    ///< Which of the points `values` begins with, from 0.
  std::uint32_t count = 0;    ///< How many points are in `values`.
  std::uint32_t total = 0;    ///< How many points the whole trajectory has.
  std::uint32_t content = 0;  ///< Bit 0: velocities, bit 1: accelerations are given; the same in all parts.
  std::uint64_t joint_mask = 0;      ///< Bit i: joint i is meant; the same in all parts.
  double goal_time_tolerance = 0.0;  ///< [s] To arrive after the last point; 0: as the service has it.
  std::array<char, 32> who{};        ///< Whose it is.
  JointArray path_tolerance{};       ///< [rad, m] From where it was sent, on the way; 0: not looked at.
  JointArray goal_tolerance{};       ///< [rad, m] From the last point; 0: as the service has it.
  std::array<double, 512> values{};  ///< Point after point, as above; the rest is zero.
};
static_assert(std::is_trivially_copyable_v<TrajectoryPart> && sizeof(TrajectoryPart) == 5200,
              "TrajectoryPart crosses processes: raise kVersion when its layout changes");

}  // namespace sinew
