// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/control/output_gate.h"

#include <cmath>
#include <utility>

namespace sinew {

OutputGate::OutputGate(const RobotModel& model) {
  for (const IoPort& port : model.outputs) {
    const std::uint64_t bit = std::uint64_t{1} << port.number;
    if (port.is_analog) {
      analog_known_mask_ |= static_cast<std::uint32_t>(bit);
      if (port.is_off_at_stop) analog_fall_mask_ |= static_cast<std::uint32_t>(bit);
    } else {
      known_mask_ |= bit;
      if (port.is_off_at_stop) fall_mask_ |= bit;
    }
  }
}

bool OutputGate::take(const IoCommand& command) SINEW_REALTIME {
  const std::uint32_t analog = command.analog_output_mask & analog_known_mask_;
  for (std::size_t i = 0; i < kMaxAnalog; ++i)
    if ((analog >> i & 1) != 0 && !std::isfinite(command.analog_outputs[i])) return false;
  const std::uint64_t digital = command.output_mask & known_mask_;
  asked_.outputs = (asked_.outputs & ~digital) | (command.outputs & digital);
  asked_.output_mask |= digital;
  for (std::size_t i = 0; i < kMaxAnalog; ++i)
    if ((analog >> i & 1) != 0) asked_.analog_outputs[i] = command.analog_outputs[i];
  asked_.analog_output_mask |= analog;
  asked_.who = command.who;
  return true;
}

const IoCommand* OutputGate::step(ControlState state, std::int64_t now_ns) SINEW_REALTIME {
  const bool is_running = state == ControlState::Running;
  const bool has_changed = std::exchange(was_running_, is_running) != is_running;
  const bool has_news = asked_.output_mask != 0 || asked_.analog_output_mask != 0;
  if (!std::exchange(is_first_, false) && !has_news && !has_changed) return nullptr;
  told_ = std::exchange(asked_, {});
  told_.stamp_ns = now_ns;
  told_.fall_mask = fall_mask_;
  told_.analog_fall_mask = analog_fall_mask_;
  if (is_running) return &told_;
  told_.output_mask |= fall_mask_;
  told_.outputs &= ~fall_mask_;
  told_.analog_output_mask |= analog_fall_mask_;
  for (std::size_t i = 0; i < kMaxAnalog; ++i)
    if ((analog_fall_mask_ >> i & 1) != 0) told_.analog_outputs[i] = 0.0;
  return &told_;
}

}  // namespace sinew
