// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>

#include <fmt/format.h>

#include "sinew/drivers/external_driver.h"
#include "sinew/drivers/ideal_driver.h"
#include "sinew/drivers/test/driver_conformance.h"
#include "sinew/drivers/test/two_joints.h"

namespace sinew {

/// The other end of an ExternalDriver's channels, as a program of the user's would be: an ideal device behind
/// channels.
class ExternalBench final : public DriverBench {
 public:
  ExternalBench() { static_cast<void>(device_.connect()); }
  ~ExternalBench() override {
    driver_.disconnect();
    std::error_code ignored;
    std::filesystem::remove_all("/dev/shm/sinew-" + space_, ignored);
  }
  Driver& driver() override { return driver_; }
  const RobotModel& model() override { return model_; }
  std::int64_t now_ns() const override { return now_ns_; }

  const std::string& space() const { return space_; }
  /// From now on the device's clock is ahead by this much.
  void set_ahead(std::int64_t ahead_ns) { ahead_ns_ = ahead_ns; }

  bool press(std::uint32_t input, bool is_on) override { return device_.io().set_input(input, is_on); }

  void pass_period() override {
    now_ns_ += kMillisecond_ns;
    Frame<ControlRequest> request;
    const bool is_asked = requests_.read_next(request) == SINEW_OK;
    if (is_asked && request.message.verb == ControlVerb::Reset) device_.reset();
    if (is_asked && request.message.verb == ControlVerb::Home) home();
    Frame<JointCommand> command;
    const bool is_told = commands_.read_fresh(command) == SINEW_OK;
    if (is_told) device_.write(command.message);
    search(is_told && command.message.is_enabled != 0);
    Frame<IoCommand> io_command;
    while (io_commands_.read_next(io_command) == SINEW_OK) device_.write_io(io_command.message);
    JointState state;
    device_.read(now_ns_, state);
    state.stamp_ns += ahead_ns_;
    state.position[0] += offset_;
    if (!is_homed_) state.fault_bits |= kFaultNotHomed;
    IoState io;
    device_.read_io(io);
    static_cast<void>(ios_.put(io));
    static_cast<void>(states_.put(state));
  }

 private:
  // the device turns its first joint until it finds a switch there
  void home() {
    is_homed_ = false;
    left_to_search_ = 500;
  }
  void search(bool is_commanded) {
    if (is_commanded) left_to_search_ = 0;
    if (is_commanded) offset_ = 0.0;
    if (left_to_search_ == 0) return;
    offset_ -= 1e-4;
    is_homed_ = --left_to_search_ == 0;
  }

  ChannelPlace place(std::string name) const { return {.name = std::move(name), .space = space_}; }

  static std::string next_space() {
    static int count = 0;
    return fmt::format("external-{}-{}", getpid(), count++);
  }

  std::string space_ = next_space();
  RobotModel model_ = two_joints();
  IdealDriver device_{model_};
  ExternalDriver driver_{model_, {.robot = "two", .space = space_}};
  Reader<JointCommand> commands_ = *Reader<JointCommand>::open(place(device_command_channel("two")));
  Reader<ControlRequest> requests_ = *Reader<ControlRequest>::open(place(device_request_channel("two")));
  Writer<JointState> states_ = *Writer<JointState>::open(place(device_state_channel("two")));
  Reader<IoCommand> io_commands_ = *Reader<IoCommand>::open(place(device_io_command_channel("two")));
  Writer<IoState> ios_ = *Writer<IoState>::open(place(device_io_channel("two")));
  std::int64_t now_ns_ = kSecond_ns;
  std::int64_t ahead_ns_ = 0;
  bool is_homed_ = true;
  int left_to_search_ = 0;  // periods
  double offset_ = 0.0;     // of what is measured from what the device was told [rad]
};

}  // namespace sinew
