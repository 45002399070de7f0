// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdint>

#include "sinew/base/realtime.h"
#include "sinew/messages/io.h"
#include "sinew/model/robot_model.h"

namespace sinew {

static_assert(kMostDigitalPorts == kMaxDigital && kMostAnalogPorts == kMaxAnalog);

/// True when every number that it sets is finite.
inline bool is_sound(const IoCommand& command) SINEW_REALTIME {
  for (std::size_t i = 0; i < kMaxAnalog; ++i)
    if ((command.analog_output_mask >> i & 1) != 0 && !std::isfinite(command.analog_outputs[i])) return false;
  return true;
}

/// True when every number that was measured is finite.
inline bool is_sound(const IoState& state) SINEW_REALTIME {
  for (std::size_t i = 0; i < kMaxAnalog; ++i)
    if (!std::isfinite(state.analog_inputs[i]) || !std::isfinite(state.analog_outputs[i])) return false;
  return true;
}

/// The inputs and outputs of a device that is not there: those that robot.yaml names. Outputs keep what they
/// are told; inputs are off until somebody sets them.
class IoBoard {
 public:
  explicit IoBoard(const RobotModel& model) {
    for (const IoPort& port : model.inputs) {
      if (port.is_analog)
        state_.analog_input_mask |= 1U << port.number;
      else
        state_.input_mask |= std::uint64_t{1} << port.number;
    }
    for (const IoPort& port : model.outputs) {
      if (port.is_analog)
        state_.analog_output_mask |= 1U << port.number;
      else
        state_.output_mask |= std::uint64_t{1} << port.number;
    }
  }

  const IoState& state() const SINEW_REALTIME { return state_; }

  /// Sets outputs; those that are not there, and numbers that are not finite, are passed over.
  void take(const IoCommand& command) SINEW_REALTIME {
    if (!is_sound(command)) return;
    const std::uint64_t meant = command.output_mask & state_.output_mask;
    state_.outputs = (state_.outputs & ~meant) | (command.outputs & meant);
    for (std::size_t i = 0; i < kMaxAnalog; ++i)
      if ((command.analog_output_mask & state_.analog_output_mask) >> i & 1)
        state_.analog_outputs[i] = command.analog_outputs[i];
    fall_mask_ = command.fall_mask;
    analog_fall_mask_ = command.analog_fall_mask;
  }

  /// The controller has fallen silent: what the last command named goes off.
  void fall() SINEW_REALTIME {
    state_.outputs &= ~fall_mask_;
    for (std::size_t i = 0; i < kMaxAnalog; ++i)
      if (analog_fall_mask_ >> i & 1) state_.analog_outputs[i] = 0.0;
  }

  /// Somebody presses a button. False: there is no such input.
  bool set_input(std::uint32_t number, bool is_on) SINEW_REALTIME {
    if (number >= kMaxDigital || (state_.input_mask >> number & 1) == 0) return false;
    const std::uint64_t bit = std::uint64_t{1} << number;
    state_.inputs = is_on ? state_.inputs | bit : state_.inputs & ~bit;
    return true;
  }
  /// False: there is no such input, or the value is not finite.
  bool set_analog_input(std::uint32_t number, double value) SINEW_REALTIME {
    if (number >= kMaxAnalog || (state_.analog_input_mask >> number & 1) == 0 || !std::isfinite(value))
      return false;
    state_.analog_inputs[number] = value;
    return true;
  }

 private:
  IoState state_;
  std::uint64_t fall_mask_ = 0;
  std::uint32_t analog_fall_mask_ = 0;
};

}  // namespace sinew
