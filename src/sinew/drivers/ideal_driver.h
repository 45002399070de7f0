// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sinew/drivers/driver.h"
#include "sinew/drivers/io_board.h"
#include "sinew/model/robot_model.h"

namespace sinew {

/// A device that is where it is told to be one cycle later: to try programs and the controller without
/// physics. It has the watchdog that every device must have.
class IdealDriver final : public Driver {
 public:
  /// Starts at `home` of the model, or in the middle of the ranges. `model` must outlive this object.
  explicit IdealDriver(const RobotModel& model);

  Status connect() override;
  DeviceFacts facts() const override;
  void read(std::int64_t now_ns, JointState& state) SINEW_REALTIME override;
  void write(const JointCommand& command) SINEW_REALTIME override;
  void read_io(IoState& io) SINEW_REALTIME override;
  void write_io(const IoCommand& command) SINEW_REALTIME override;
  void reset() SINEW_REALTIME override;
  void disconnect() noexcept override;

  /// To press buttons.
  IoBoard& io() { return io_; }

 private:
  void watch(std::int64_t now_ns) SINEW_REALTIME;

  const RobotModel& model_;
  JointState state_;
  IoBoard io_;
  std::int64_t commanded_ns_ = 0;  ///< When the last command came; 0: never.
  bool is_connected_ = false;
};

}  // namespace sinew
