// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "sinew/base/realtime.h"
#include "sinew/messages/io.h"
#include "sinew/messages/safety.h"
#include "sinew/model/robot_model.h"

namespace sinew {

/// What the device is told of its outputs: as asked, but those that robot.yaml wants off at a stop are off
/// unless the robot runs. Takes values and gives values; no memory is taken after the constructor.
class OutputGate {
 public:
  explicit OutputGate(const RobotModel& model);

  /// What somebody asks for; the newest counts, output by output. False: a number is not finite, and nothing
  /// of it is taken.
  bool take(const IoCommand& command) SINEW_REALTIME;

  /// One cycle: what the device is to be told; null: nothing new.
  const IoCommand* step(ControlState state, std::int64_t now_ns) SINEW_REALTIME;

 private:
  IoCommand asked_;  ///< Since the last step.
  IoCommand told_;   ///< By the last step that had something to tell.
  std::uint64_t known_mask_ = 0;
  std::uint64_t fall_mask_ = 0;  ///< Off at a stop.
  std::uint32_t analog_known_mask_ = 0;
  std::uint32_t analog_fall_mask_ = 0;
  bool is_first_ = true;  ///< The device has not been told yet which ones fall.
  bool was_running_ = false;
};

}  // namespace sinew
