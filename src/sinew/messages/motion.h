// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

namespace sinew {

/// What the motion service is doing.
enum class MotionPhase : std::uint32_t {
  Idle = 0,
  Planning = 1,
  Moving = 2,
  Pausing = 3,  ///< Slowing down on the way.
  Paused = 4,
  Braking = 5,    ///< What was being done has ended early.
  Jogging = 6,    ///< Somebody holds a key.
  Following = 7,  ///< Behind a master.
};

/// What the program is doing that the motion service runs.
enum class ProgramPhase : std::uint32_t {
  None = 0,
  Running = 1,
  Paused = 2,  ///< Asked to, or at a PAUSE.
  AtBreakpoint = 3,
  Stepped = 4,  ///< Before the next statement.
  Ended = 5,
  Failed = 6,
};

/// On the channel `motion`: written at each change, and ten times a second.
struct alignas(8) MotionState {
  static constexpr std::uint32_t kVersion = 1;

  std::int64_t stamp_ns = 0;  ///< Robot time.
  MotionPhase phase = MotionPhase::Idle;
  std::uint32_t queue_length = 0;  ///< Requests that wait for their turn.
  std::uint64_t request = 0;       ///< The oldest that is being carried out; zero: none.
  double progress = 0.0;           ///< [1] Of it, by time: 0 to 1.
  double remaining = 0.0;          ///< [s] Of it, at the present override.
  double override_share = 1.0;     ///< [1] As asked for.
  std::array<char, 32> owner{};    ///< Who is obeyed; empty: whoever asks.
  ProgramPhase program_phase = ProgramPhase::None;
  std::uint32_t program_line = 0;           ///< Where it is, from 1; 0: nowhere.
  std::uint64_t program_request = 0;        ///< Which asked for it.
  std::array<char, 256> program{};          ///< Its path.
  std::array<char, 256> program_message{};  ///< The last it said, or why it has failed.
};
static_assert(std::is_trivially_copyable_v<MotionState> && sizeof(MotionState) == 608,
              "MotionState crosses processes: raise kVersion when its layout changes");

}  // namespace sinew
