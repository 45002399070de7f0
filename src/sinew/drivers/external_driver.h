// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "sinew/channels/channel.h"
#include "sinew/drivers/driver.h"
#include "sinew/messages/safety.h"
#include "sinew/messages/schemas.h"
#include "sinew/model/robot_model.h"

namespace sinew {

/// Where an outside device is found, and what is known of it.
struct ExternalDevice {
  std::string robot;              ///< Prefix of its channels.
  std::string space = "default";  ///< The system that it belongs to.
  std::int64_t period_ns = kMillisecond_ns;
  std::int64_t queue_ns = 0;
  std::int64_t watchdog_ns = 100 * kMillisecond_ns;
};

/// A device that is another process: the simulator, or a program of yours in any language. It reads
/// JointCommand from `ROBOT/device/command` and writes JointState to `ROBOT/device/state`; where it has
/// inputs and outputs, IoCommand from `ROBOT/device/io_command` and IoState to `ROBOT/device/io`.
///
/// Homing and reset are asked for by the channel `ROBOT/device/request` (ControlRequest: Home, Reset).
class ExternalDriver final : public Driver {
 public:
  /// `model` must outlive this object.
  ExternalDriver(const RobotModel& model, ExternalDevice device);

  Status connect() override;
  DeviceFacts facts() const override;
  void read(std::int64_t now_ns, JointState& state) SINEW_REALTIME override;
  void write(const JointCommand& command) SINEW_REALTIME override;
  void read_io(IoState& io) SINEW_REALTIME override;
  void write_io(const IoCommand& command) SINEW_REALTIME override;
  void home() SINEW_REALTIME override;
  void reset() SINEW_REALTIME override;
  void disconnect() noexcept override;

  /// A state that has arrived, or not.
  struct Arrival {
    bool is_new = false;
    std::int64_t stamp_ns = 0;  ///< When it was measured (robot time).
    std::int64_t put_ns = 0;    ///< When it was put (monotonic).
  };
  /// For cycles in step with the device: waits for its next state, until `deadline_ns` (monotonic).
  Arrival wait_for_state(std::int64_t deadline_ns) noexcept;

 private:
  void request(ControlVerb verb) SINEW_REALTIME;

  const RobotModel& model_;
  ExternalDevice device_;
  std::optional<Writer<JointCommand>> command_;
  std::optional<Writer<ControlRequest>> request_;
  std::optional<Reader<JointState>> state_;
  std::optional<Writer<IoCommand>> io_command_;
  std::optional<Reader<IoState>> io_;
  Frame<IoState> newest_io_{};
  Frame<JointState> newest_{};
  bool has_newest_ = false;  // read by wait_for_state() and not given out yet
  JointCommand last_;
  std::int64_t now_ns_ = 0;
};

/// The names of a robot's device channels.
inline std::string device_command_channel(const std::string& robot) {
  return robot + "/device/command";
}
inline std::string device_state_channel(const std::string& robot) {
  return robot + "/device/state";
}
inline std::string device_io_channel(const std::string& robot) {
  return robot + "/device/io";
}
inline std::string device_io_command_channel(const std::string& robot) {
  return robot + "/device/io_command";
}
inline std::string device_request_channel(const std::string& robot) {
  return robot + "/device/request";
}

}  // namespace sinew
