// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
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

/// Those in use, also of a world that claims more than it can hold.
inline std::span<const WorldObject> objects_of(const World& world) {
  return std::span(world.objects).first(std::min<std::size_t>(world.object_count, kMaxObjects));
}

/// The robot's time while it is simulated, on the channel `clock`: with every step, and ten times a second
/// while the world stands still. Without this channel robot time is CLOCK_MONOTONIC.
struct alignas(8) Clock {
  static constexpr std::uint32_t kVersion = 2;

  std::int64_t stamp_ns = 0;       ///< Robot time now.
  std::int64_t monotonic_ns = 0;   ///< CLOCK_MONOTONIC at that moment.
  double rate = 1.0;               ///< [1] Robot seconds per second; 0: paused.
  std::uint64_t last_request = 0;  ///< Number of the last message on `simulation` that has been carried out.
  std::uint64_t refusals = 0;      ///< Messages on `simulation` that made no sense, since the start.
};
static_assert(std::is_trivially_copyable_v<Clock> && sizeof(Clock) == 40,
              "Clock crosses processes: raise kVersion when its layout changes");

/// What is asked of a simulated world.
enum class SimulationVerb : std::uint32_t {
  Pause = 0,     ///< Stand still; robot time stands, too.
  Resume = 1,    ///< Go on.
  Step = 2,      ///< Take `steps` steps of the physics, then stand still; what is asked meanwhile ends them.
  Speed = 3,     ///< Go on at `speed`.
  Reset = 4,     ///< All things and robots back to where they started; robot time goes on.
  SetInput = 5,  ///< Digital input `port` of the channel's robot is on where `value` is not zero.
  SetAnalogInput = 6,  ///< Analog input `port` of the channel's robot has `value`.
};

/// On the channel `simulation` of any robot of a world; the world is all robots' one. After a reset its
/// devices are as if switched off and on: they want a reset by their controllers.
struct alignas(8) SimulationRequest {
  static constexpr std::uint32_t kVersion = 2;

  std::int64_t stamp_ns = 0;  ///< When it was asked (robot time).
  SimulationVerb verb = SimulationVerb::Pause;
  std::uint32_t steps = 1;  ///< Step: how many, at least 1.
  double speed = 1.0;       ///< [1] Speed: robot seconds per second, 0.01 to 100; 0: as fast as it can.
  double value = 0.0;       ///< SetInput, SetAnalogInput.
  std::uint32_t port = 0;   ///< SetInput, SetAnalogInput: which.
  std::uint32_t reserved = 0;
  std::array<char, 32> who{};  ///< For people to see; the right lies in the file.
};
static_assert(std::is_trivially_copyable_v<SimulationRequest> && sizeof(SimulationRequest) == 72,
              "SimulationRequest crosses processes: raise kVersion when its layout changes");

}  // namespace sinew
