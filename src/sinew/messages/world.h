// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace sinew {

/// Objects that a world may hold.
inline constexpr std::size_t kMaxObjects = 128;

enum class ObjectKind : std::uint32_t {
  Box = 0,          ///< size: its three sides.
  Sphere = 1,       ///< size[0]: its radius.
  Cylinder = 2,     ///< size[0]: its radius, size[1]: its length along z.
  Plane = 3,        ///< Everything below its z = 0 is solid.
  Mesh = 4,         ///< A mesh file; size: its scale. Filled if it is convex, else its surface.
  HeightField = 5,  ///< Heights from a text, around its middle; size: extent in x, in y, per unit of height.
};

/// An object that the robot must not touch, or that it carries.
struct alignas(8) WorldObject {
  static constexpr std::uint32_t kVersion = 1;

  std::array<char, 48> name{};
  ObjectKind kind = ObjectKind::Box;
  std::uint32_t attached = 0;        ///< 1: fixed to the link below; 0: stands in the world.
  std::array<char, 48> link{};       ///< The link that carries it.
  std::array<double, 3> position{};  ///< [m] In the world, or in the link that carries it.
  double qw = 1.0;                   ///< Its rotation, a unit quaternion.
  double qx = 0.0;
  double qy = 0.0;
  double qz = 0.0;
  std::array<double, 3> size{};  ///< [m] See ObjectKind.
  double margin = 0.0;           ///< [m] Added to the robot's own margin.
  std::uint64_t file_hash = 0;   ///< FNV-1a of the file's content: another content is refused.
  std::array<char, 120> file{};  ///< Mesh and height field: the file's path, from the root.
};
static_assert(std::is_trivially_copyable_v<WorldObject> && sizeof(WorldObject) == 320,
              "WorldObject crosses processes: raise kVersion when its layout changes");

/// The whole world, on the channel `world`: the last one holds.
struct alignas(8) World {
  static constexpr std::uint32_t kVersion = 1;

  std::int64_t stamp_ns = 0;  ///< When it was put together (robot time).
  std::uint32_t object_count = 0;
  std::uint32_t reserved = 0;
  std::array<WorldObject, kMaxObjects> objects{};
};
static_assert(std::is_trivially_copyable_v<World> && sizeof(World) == 16 + 320 * kMaxObjects,
              "World crosses processes: raise kVersion when its layout changes");

/// The robot's time while it is simulated, on the channel `clock`. Without this channel robot time is
/// CLOCK_MONOTONIC.
struct alignas(8) Clock {
  static constexpr std::uint32_t kVersion = 1;

  std::int64_t stamp_ns = 0;      ///< Robot time now.
  std::int64_t monotonic_ns = 0;  ///< CLOCK_MONOTONIC at that moment.
  double rate = 1.0;              ///< [1] Robot seconds per second; 0: paused.
};
static_assert(std::is_trivially_copyable_v<Clock> && sizeof(Clock) == 24,
              "Clock crosses processes: raise kVersion when its layout changes");

}  // namespace sinew
