// SPDX-License-Identifier: BSD-3-Clause
#include "apps/simulator/device_server.h"

#include <utility>

#include "sinew/base/time.h"
#include "sinew/drivers/external_driver.h"

namespace sinew {

DeviceServer::DeviceServer(Reader<JointCommand> commands, Reader<ControlRequest> requests,
                           Writer<JointState> states, Writer<Clock> clock, Writer<World> world)
    : commands_(std::move(commands)),
      requests_(std::move(requests)),
      states_(std::move(states)),
      clock_(std::move(clock)),
      world_(std::move(world)) {}

Result<DeviceServer> DeviceServer::open(const std::string& robot, const std::string& space) {
  const auto place = [&](std::string name) {
    return ChannelPlace{.name = std::move(name), .space = space, .sender = "simulator"};
  };
  // only what comes from now on: an old command is no command
  auto commands = Reader<JointCommand>::open(place(device_command_channel(robot)), SINEW_START_NOW);
  if (!commands) return commands.error();
  auto requests = Reader<ControlRequest>::open(place(device_request_channel(robot)), SINEW_START_NOW);
  if (!requests) return requests.error();
  auto states = Writer<JointState>::open(place(device_state_channel(robot)));
  if (!states) return states.error();
  auto clock = Writer<Clock>::open(place(robot + "/clock"));
  if (!clock) return clock.error();
  ChannelPlace truth = place(robot + "/world_truth");
  // whole worlds are large, and only the newest counts
  truth.depth = 2;
  auto world = Writer<World>::open(truth);
  if (!world) return world.error();
  return DeviceServer(*std::move(commands), *std::move(requests), *std::move(states), *std::move(clock),
                      *std::move(world));
}

void DeviceServer::take_commands(SimulatedDevice& device) {
  // a simulated robot knows where its joints are: homing is nothing to do
  while (requests_.read_next(request_) == SINEW_OK)
    if (request_.message.verb == ControlVerb::Reset) device.reset();
  if (commands_.read_fresh(command_) == SINEW_OK) device.take(command_.message);
}

void DeviceServer::publish(const Simulation& simulation, const SimulatedDevice& device, double rate) {
  static_cast<void>(states_.put(device.state()));
  publish_clock(simulation, rate);
}

void DeviceServer::publish_clock(const Simulation& simulation, double rate) {
  static_cast<void>(
      clock_.put({.stamp_ns = simulation.now_ns(), .monotonic_ns = monotonic_now_ns(), .rate = rate}));
}

void DeviceServer::publish_world(const World& world) {
  static_cast<void>(world_.put(world));
}

}  // namespace sinew
