// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace sinew {

/// Digital inputs, and digital outputs, that a device may have.
inline constexpr std::size_t kMaxDigital = 64;
/// Analog inputs, and analog outputs, that a device may have.
inline constexpr std::size_t kMaxAnalog = 16;

/// Inputs and outputs as the device has them. On the channel `io`, from the controller: at each change, and
/// ten times a second; on `device/io`, from a device that is a process.
struct alignas(8) IoState {
  static constexpr std::uint32_t kVersion = 1;

  std::int64_t stamp_ns = 0;             ///< When they were sampled (robot time).
  std::uint64_t input_mask = 0;          ///< Bit i: there is a digital input i, and it was measured.
  std::uint64_t inputs = 0;              ///< Bit i: digital input i is on.
  std::uint64_t output_mask = 0;         ///< Bit i: there is a digital output i.
  std::uint64_t outputs = 0;             ///< Bit i: digital output i is on.
  std::uint32_t analog_input_mask = 0;   ///< Bit i: there is an analog input i, and it was measured.
  std::uint32_t analog_output_mask = 0;  ///< Bit i: there is an analog output i.
  std::array<double, kMaxAnalog> analog_inputs{};   ///< In the device's unit.
  std::array<double, kMaxAnalog> analog_outputs{};  ///< In the device's unit.
};
static_assert(std::is_trivially_copyable_v<IoState> && sizeof(IoState) == 48 + 16 * kMaxAnalog,
              "IoState crosses processes: raise kVersion when its layout changes");

/// Outputs to be set. On the channel `io_command`, for the controller; on `device/io_command`, from it for a
/// device that is a process. What is not in a mask stays as it is.
struct alignas(8) IoCommand {
  static constexpr std::uint32_t kVersion = 1;

  std::int64_t stamp_ns = 0;             ///< When it was decided (robot time).
  std::uint64_t output_mask = 0;         ///< Bit i: digital output i is meant.
  std::uint64_t outputs = 0;             ///< Bit i: on.
  std::uint64_t fall_mask = 0;           ///< For the device: these go off when the controller falls silent.
  std::uint32_t analog_output_mask = 0;  ///< Bit i: analog output i is meant.
  std::uint32_t analog_fall_mask = 0;    ///< As fall_mask: these go to zero.
  std::array<double, kMaxAnalog> analog_outputs{};  ///< In the device's unit.
  std::array<char, 32> who{};                       ///< For people to see; the right lies in the file.
};
static_assert(std::is_trivially_copyable_v<IoCommand> && sizeof(IoCommand) == 72 + 8 * kMaxAnalog,
              "IoCommand crosses processes: raise kVersion when its layout changes");

}  // namespace sinew
