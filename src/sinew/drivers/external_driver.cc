// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/drivers/external_driver.h"

#include <chrono>
#include <thread>
#include <utility>

#include "sinew/drivers/command_check.h"
#include "sinew/drivers/io_board.h"
#include "sinew/model/positions.h"

namespace sinew {
namespace {

/// Clocks of one machine agree, and a cycle may be late: a state stamped further ahead than this is a
/// mistake.
constexpr std::int64_t kMostAhead_ns = kSecond_ns;

template <class Handle>
Status keep(Result<Handle> opened, std::optional<Handle>& kept) {
  if (!opened) return opened.error();
  kept = *std::move(opened);
  return Done{};
}

}  // namespace

ExternalDriver::ExternalDriver(const RobotModel& model, ExternalDevice device)
    : model_(model), device_(std::move(device)) {}

Status ExternalDriver::connect() {
  const auto place = [this](std::string name) {
    return ChannelPlace{.name = std::move(name), .space = device_.space, .sender = "controller"};
  };
  ChannelPlace of_command = place(device_command_channel(device_.robot));
  // two who command one device would tear it between them
  of_command.is_alone = true;
  if (Status kept = keep(Writer<JointCommand>::open(of_command), command_); !kept) return kept;
  if (Status kept =
          keep(Writer<ControlRequest>::open(place(device_request_channel(device_.robot))), request_);
      !kept)
    return kept;
  if (Status kept =
          keep(Writer<IoCommand>::open(place(device_io_command_channel(device_.robot))), io_command_);
      !kept)
    return kept;
  if (Status kept = keep(Reader<IoState>::open(place(device_io_channel(device_.robot))), io_); !kept)
    return kept;
  return keep(Reader<JointState>::open(place(device_state_channel(device_.robot))), state_);
}

DeviceFacts ExternalDriver::facts() const {
  return {.period_ns = device_.period_ns,
          .queue_ns = device_.queue_ns,
          .watchdog_ns = device_.watchdog_ns,
          .state_age_ns = device_.period_ns,
          .joint_mask = enabled_mask(model_),
          .has_homing = true,
          .has_io = true};
}

void ExternalDriver::read(std::int64_t now_ns, JointState& state) SINEW_REALTIME {
  now_ns_ = now_ns;
  if (!state_) {
    state.fault_bits |= kFaultLost;
    return;
  }
  if (!std::exchange(has_newest_, false) && state_->read_fresh(newest_) != SINEW_OK) return;
  const bool is_from_future = newest_.message.stamp_ns > now_ns + kMostAhead_ns;
  if (newest_.message.joint_count != model_.positions.size() || !is_sound(newest_.message) ||
      is_from_future) {
    state.fault_bits |= kFaultNonsense;
    return;
  }
  state = newest_.message;
}

void ExternalDriver::write(const JointCommand& command) SINEW_REALTIME {
  if (!command_ || !is_sound(command, model_.positions.size())) return;
  last_ = command;
  // closing a channel that is gone would be a call to the system; that waits for disconnect()
  static_cast<void>(command_->put(command));
}

void ExternalDriver::read_io(IoState& io) SINEW_REALTIME {
  if (io_ && io_->read_fresh(newest_io_) == SINEW_OK && is_sound(newest_io_.message)) io = newest_io_.message;
}

void ExternalDriver::write_io(const IoCommand& command) SINEW_REALTIME {
  if (io_command_ && is_sound(command)) static_cast<void>(io_command_->put(command));
}

ExternalDriver::Arrival ExternalDriver::wait_for_state(std::int64_t deadline_ns) noexcept {
  const int status = state_ ? state_->wait(deadline_ns) : SINEW_REMOVED;
  // a channel that is gone ends every wait at once: a cycle in step with it must not spin
  if (status != SINEW_OK && status != SINEW_TIMED_OUT)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  if (status != SINEW_OK || state_->read_fresh(newest_) != SINEW_OK) return {};
  has_newest_ = true;
  return {.is_new = true, .stamp_ns = newest_.message.stamp_ns, .put_ns = newest_.info.stamp_ns};
}

void ExternalDriver::home() SINEW_REALTIME {
  request(ControlVerb::Home);
}

void ExternalDriver::reset() SINEW_REALTIME {
  request(ControlVerb::Reset);
}

void ExternalDriver::disconnect() noexcept {
  // drives off: the device need not wait for its watchdog
  last_.is_enabled = 0;
  last_.velocity.fill(0.0);
  if (command_ && last_.joint_count > 0) static_cast<void>(command_->put(last_));
  command_.reset();
  request_.reset();
  io_command_.reset();
  io_.reset();
  state_.reset();
}

void ExternalDriver::request(ControlVerb verb) SINEW_REALTIME {
  if (request_) static_cast<void>(request_->put({.stamp_ns = now_ns_, .verb = verb}));
}

}  // namespace sinew
