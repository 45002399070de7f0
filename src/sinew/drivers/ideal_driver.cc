// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/drivers/ideal_driver.h"

#include <algorithm>

#include "sinew/drivers/command_check.h"
#include "sinew/model/positions.h"

namespace sinew {
namespace {

constexpr std::int64_t kIdealWatchdog_ns = 100 * kMillisecond_ns;

}  // namespace

IdealDriver::IdealDriver(const RobotModel& model) : model_(model), io_(model) {}

Status IdealDriver::connect() {
  state_ = {};
  io_ = IoBoard(model_);
  state_.joint_count = static_cast<std::uint32_t>(model_.positions.size());
  state_.measured_mask = ~std::uint64_t{0} >> (kMaxJoints - state_.joint_count);
  std::ranges::copy(starting_positions(model_), state_.position.begin());
  commanded_ns_ = 0;
  is_connected_ = true;
  return Done{};
}

DeviceFacts IdealDriver::facts() const {
  return {.watchdog_ns = kIdealWatchdog_ns, .joint_mask = enabled_mask(model_), .has_io = true};
}

void IdealDriver::read(std::int64_t now_ns, JointState& state) SINEW_REALTIME {
  if (!is_connected_) {
    state.fault_bits |= kFaultLost;
    return;
  }
  watch(now_ns);
  state_.stamp_ns = now_ns;
  state = state_;
}

void IdealDriver::write(const JointCommand& command) SINEW_REALTIME {
  if (!is_connected_ || (state_.fault_bits & kFaultWatchdog) != 0) return;
  if (!is_sound(command, state_.joint_count)) {
    state_.fault_bits |= kFaultNonsense;
    return;
  }
  commanded_ns_ = command.stamp_ns;
  if (command.is_enabled == 0) return;
  for (std::size_t i = 0; i < state_.joint_count; ++i) {
    if ((command.moved_mask >> i & 1) == 0) continue;
    state_.position[i] = command.position[i];
    state_.velocity[i] = command.velocity[i];
  }
}

void IdealDriver::read_io(IoState& io) SINEW_REALTIME {
  if (!is_connected_) return;
  io = io_.state();
  io.stamp_ns = state_.stamp_ns;
}

void IdealDriver::write_io(const IoCommand& command) SINEW_REALTIME {
  if (is_connected_ && (state_.fault_bits & kFaultWatchdog) == 0) io_.take(command);
}

void IdealDriver::reset() SINEW_REALTIME {
  state_.fault_bits = 0;
  commanded_ns_ = 0;
}

void IdealDriver::disconnect() noexcept {
  is_connected_ = false;
}

void IdealDriver::watch(std::int64_t now_ns) SINEW_REALTIME {
  if (commanded_ns_ == 0 || now_ns - commanded_ns_ <= kIdealWatchdog_ns) return;
  state_.fault_bits |= kFaultWatchdog;
  state_.velocity.fill(0.0);
  io_.fall();
}

}  // namespace sinew
