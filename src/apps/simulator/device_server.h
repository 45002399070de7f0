// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sinew/channels/channel.h"
#include "sinew/messages/safety.h"
#include "sinew/messages/schemas.h"
#include "sinew/messages/world.h"
#include "sinew/simulation/simulation.h"

namespace sinew {

/// The channels of one simulated robot: commands and requests in; state, clock and the true world out.
class DeviceServer {
 public:
  static Result<DeviceServer> open(const std::string& robot, const std::string& space);

  /// Gives the device what has come since the last time.
  void take_commands(SimulatedDevice& device);

  /// Tells where the joints are, and what time it is at `rate` robot seconds per second.
  void publish(const Simulation& simulation, const SimulatedDevice& device, double rate);
  void publish_clock(const Simulation& simulation, double rate);
  void publish_world(const World& world);

 private:
  DeviceServer(Reader<JointCommand> commands, Reader<ControlRequest> requests, Writer<JointState> states,
               Writer<Clock> clock, Writer<World> world);

  Reader<JointCommand> commands_;
  Reader<ControlRequest> requests_;
  Writer<JointState> states_;
  Writer<Clock> clock_;
  Writer<World> world_;
  Frame<JointCommand> command_{};
  Frame<ControlRequest> request_{};
};

}  // namespace sinew
