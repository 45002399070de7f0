// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/model/load_robot.h"

namespace sinew {

/// One motor as the programs of MDS-Ach know it.
struct MdsMotor {
  std::uint16_t address = 0;  ///< On the CAN bus; the index in their structs.
  std::size_t position = 0;   ///< Among the robot's joint positions.
  std::string name;           ///< Of the muscle.
  std::string short_name;
  bool is_enabled = true;
  double encoder = 0.0;
  double gear = 0.0;
  double ticks = 0.0;
  double direction = 1.0;
  double offset = 0.0;  ///< [rad] At the motor, as in mdsach.xml.
  double range = 0.0;   ///< [rad]
};

/// The motors of a robot whose actuators are named by their address, as in `{name: "0x5F", joints: …}`.
Result<std::vector<MdsMotor>> read_anatomy(const LoadedRobot& robot);

}  // namespace sinew
