// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "sinew/messages/joints.h"
#include "sinew/messages/safety.h"

namespace sinew {

/// What a controller may be given besides the state of its device.
enum class InputKind : std::uint32_t {
  Source = 0,         ///< A program at the place `source`: `who`, with `priority`.
  Reference = 1,      ///< `reference`, of the program at `source`.
  Request = 2,        ///< `request`, from `stop` or `command`.
  Override = 3,       ///< `request`, from `override`.
  World = 4,          ///< The message `number` of the channel `world`.
  Recording = 5,      ///< The seconds before a stop were saved in `file`.
  Refused = 6,        ///< A message of `who` that could not be read; `number` is the Refusal.
  Segment = 7,        ///< The message `number` of the channel `segments`, written at its place `source`.
  NoWorld = 8,        ///< What the channel `world` held at the start could not be read.
  WriterDead = 9,     ///< The program `who`, which wrote `segments` at the place `source`, has died.
  ChannelsGone = 10,  ///< Channels of the controller were removed.
  Contact = 11,       ///< The link `source` begins (`number` 1) or ceases (0) to touch `file`.
  Efforts = 12,       ///< The loads of `state` are efforts [N·m, N], as a simulated device tells them.
};

/// On the channel `taken`: an input of the controller, in the order in which it was given.
struct alignas(8) TakenInput {
  static constexpr std::uint32_t kVersion = 1;

  std::int64_t stamp_ns = 0;  ///< When it was given (robot time).
  std::uint64_t cycle = 0;    ///< Before the step of this cycle.
  InputKind kind = InputKind::Source;
  std::uint32_t source = 0;   ///< Place of the program among those that command; or as `kind` says.
  std::uint64_t number = 0;   ///< As `kind` says.
  std::int32_t priority = 0;  ///< As `kind` says.
  std::uint32_t reserved = 0;
  std::array<char, 32> who{};    ///< As `kind` says.
  std::array<char, 128> file{};  ///< As `kind` says.
  ControlRequest request{};      ///< As `kind` says.
  JointReference reference{};    ///< As `kind` says.
};
static_assert(std::is_trivially_copyable_v<TakenInput> && sizeof(TakenInput) == 864,
              "TakenInput crosses processes: raise kVersion when its layout changes");

/// On the channel `cycle`, the last word of each: with what is on `taken` and `state` it is all that the
/// command on `processed` was made of.
struct alignas(8) Cycle {
  static constexpr std::uint32_t kVersion = 1;

  std::int64_t stamp_ns = 0;  ///< Robot time of the step.
  std::uint64_t cycle = 0;    ///< As in JointCommand.
  std::uint64_t state = 0;    ///< Number of the message on `state` that the step saw.
  std::uint32_t taken = 0;    ///< Messages on `taken` of this cycle.
  std::uint32_t reserved = 0;
};
static_assert(std::is_trivially_copyable_v<Cycle> && sizeof(Cycle) == 32,
              "Cycle crosses processes: raise kVersion when its layout changes");

/// Room for what a controller remembers [bytes].
inline constexpr std::size_t kMaxSnapshot = 262144;

/// On the channel `snapshot`, every 2.5 s: all that the controller remembers from one cycle to the next. Of
/// use to the same build only. Messages end with the last byte in use.
struct alignas(8) ControlSnapshot {
  static constexpr std::uint32_t kVersion = 1;

  std::int64_t stamp_ns = 0;  ///< When it was taken (robot time).
  std::uint64_t cycle = 0;    ///< After this cycle.
  std::uint64_t world = 0;    ///< Number of the message on `world` that holds; zero: none.
  std::uint64_t layout = 0;   ///< Fingerprint of how the bytes are arranged.
  std::uint32_t size = 0;     ///< Bytes in use.
  std::uint32_t reserved = 0;
  std::array<std::uint8_t, kMaxSnapshot> bytes{};
};
static_assert(std::is_trivially_copyable_v<ControlSnapshot> && sizeof(ControlSnapshot) == 40 + kMaxSnapshot,
              "ControlSnapshot crosses processes: raise kVersion when its layout changes");

/// On the channel `run`: a controller has started. It holds for all that follows.
struct alignas(8) ControlRun {
  static constexpr std::uint32_t kVersion = 1;

  std::int64_t stamp_ns = 0;       ///< When it started (monotonic).
  std::uint64_t robot_hash = 0;    ///< FNV-1a over the files that make the robot.
  std::array<char, 32> version{};  ///< Of the controller.
  std::array<char, 256> robot{};   ///< Name or path of the robot's folder.
};
static_assert(std::is_trivially_copyable_v<ControlRun> && sizeof(ControlRun) == 304,
              "ControlRun crosses processes: raise kVersion when its layout changes");

}  // namespace sinew
