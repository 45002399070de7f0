// SPDX-License-Identifier: BSD-3-Clause
#include "apps/simulator/device_server.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include "sinew/base/time.h"
#include "sinew/drivers/external_driver.h"
#include "sinew/drivers/robot_clock.h"

namespace sinew {
namespace {

constexpr std::uint32_t kGroupMayAsk = 0660;
constexpr std::uint32_t kRequestsKept = 64;
constexpr std::uint32_t kGraspsKept = 64;
constexpr std::uint32_t kContactsKept = 256;
constexpr std::int64_t kBetweenIo_ns = 100 * kMillisecond_ns;
// to which the system says when a process began
constexpr std::int64_t kClockTick_ns = 10 * kMillisecond_ns;

// The process that put a message; none when it has ended, also where its pid has gone to a younger one.
std::optional<processes::ProcessIdentity> identity_of_sender(const sinew_frame& sender) {
  const auto identity = processes::identity_of(static_cast<std::int32_t>(sender.sender_pid));
  const auto use = identity ? processes::use_of(*identity) : std::nullopt;
  const std::int64_t put_before_ns = monotonic_now_ns() - sender.stamp_ns;
  return use && use->age_ns + kClockTick_ns >= put_before_ns ? identity : std::nullopt;
}

}  // namespace

DeviceServer::DeviceServer(Channels channels) : channels_(std::move(channels)) {}

Result<DeviceServer> DeviceServer::open(const std::string& robot, const std::string& space) {
  const auto place = [&](std::string name) {
    return ChannelPlace{.name = std::move(name), .space = space, .sender = "simulator"};
  };
  // only what comes from now on: an old command is no command
  auto commands = Reader<JointCommand>::open(place(device_command_channel(robot)), SINEW_START_NOW);
  if (!commands) return commands.error();
  auto requests = Reader<ControlRequest>::open(place(device_request_channel(robot)), SINEW_START_NOW);
  if (!requests) return requests.error();
  ChannelPlace of_health = place(robot + "/health");
  // as the controller makes it, whoever comes first
  of_health.depth = 64;
  of_health.writers = 2;
  auto health = Reader<Health>::open(of_health);
  if (!health) return health.error();
  ChannelPlace of_world = place(simulation_channel(robot));
  of_world.depth = kRequestsKept;
  of_world.mode = kGroupMayAsk;
  auto world_requests = Reader<SimulationRequest>::open(of_world, SINEW_START_NOW);
  if (!world_requests) return world_requests.error();
  ChannelPlace of_states = place(device_state_channel(robot));
  // a robot is one device, and has one time
  of_states.is_alone = true;
  auto states = Writer<JointState>::open(of_states);
  if (!states) return states.error();
  ChannelPlace of_clock = place(clock_channel(robot));
  of_clock.is_alone = true;
  auto clock = Writer<Clock>::open(of_clock);
  if (!clock) return clock.error();
  ChannelPlace truth = place(robot + "/world_truth");
  // whole worlds are large, and only the newest counts
  truth.depth = 2;
  auto world = Writer<World>::open(truth);
  if (!world) return world.error();
  auto io_commands = Reader<IoCommand>::open(place(device_io_command_channel(robot)), SINEW_START_NOW);
  if (!io_commands) return io_commands.error();
  auto io = Writer<IoState>::open(place(device_io_channel(robot)));
  if (!io) return io.error();
  ChannelPlace of_grasp = place(robot + "/sensor/grasp");
  of_grasp.depth = kGraspsKept;
  auto grasp = Writer<GraspState>::open(of_grasp);
  if (!grasp) return grasp.error();
  ChannelPlace of_contacts = place(robot + "/sensor/contacts");
  of_contacts.depth = kContactsKept;
  auto contacts = Writer<ContactEvent>::open(of_contacts);
  if (!contacts) return contacts.error();
  DeviceServer server({*std::move(commands), *std::move(requests), *std::move(health),
                       *std::move(world_requests), *std::move(states), *std::move(clock), *std::move(world),
                       *std::move(io_commands), *std::move(io), *std::move(grasp), *std::move(contacts)});
  server.was_driven_ = server.channels_.commands.read_newest(server.command_) == SINEW_OK &&
                       server.command_.message.is_enabled != 0;
  server.commander_ = identity_of_sender(server.command_.info);
  return server;
}

void DeviceServer::read_command() {
  while (channels_.commands.read_next(arrived_) == SINEW_OK) {
    if (!is_obeyed(arrived_.info)) continue;
    command_ = arrived_;
    is_fresh_ = true;
    is_silent_ = false;
  }
}

// One at a time: another one when the one before has switched the drives off, or is dead.
bool DeviceServer::is_obeyed(const sinew_frame& sender) {
  const sinew_frame& before = command_.info;
  if (sender.writer == before.writer && sender.sender_pid == before.sender_pid) return true;
  if (command_.message.is_enabled != 0 && !is_orphaned()) return false;
  commander_ = identity_of_sender(sender);
  return true;
}

void DeviceServer::take_commands(SimulatedDevice& device) {
  int status = SINEW_OK;
  while ((status = channels_.requests.read_next(request_)) == SINEW_OK) {
    if (request_.message.verb == ControlVerb::Reset) device.reset();
    if (request_.message.verb == ControlVerb::Home) device.home();
  }
  is_removed_ |= status == SINEW_REMOVED;
  read_command();
  if (std::exchange(is_fresh_, false)) device.take(command_.message);
  while (channels_.io_commands.read_next(io_command_) == SINEW_OK) device.take(io_command_.message);
}

bool DeviceServer::await_command(std::int64_t state_ns, std::int64_t deadline_ns) {
  // a controller answers no state before its next cycle is due; one that tells no period answers each
  static_cast<void>(channels_.health.read_fresh(health_));
  const auto is_due = [&] {
    return state_ns - command_.message.stamp_ns >= std::max<std::int64_t>(1, health_.message.period_ns);
  };
  for (read_command(); !is_silent_ && is_due(); read_command()) {
    const int status = channels_.commands.wait(deadline_ns);
    if (status == SINEW_TIMED_OUT) return false;
    // a channel that is gone ends every wait at once
    if (status != SINEW_OK) give_up();
  }
  return true;
}

bool DeviceServer::is_orphaned() const {
  return !commander_ || !processes::is_alive(*commander_);
}

void DeviceServer::await_request(std::int64_t deadline_ns) {
  const int status = channels_.world_requests.wait(deadline_ns);
  // a channel that is gone ends every wait at once
  if (status != SINEW_OK && status != SINEW_TIMED_OUT)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

std::optional<SimulationRequest> DeviceServer::next_request() {
  if (channels_.world_requests.read_next(world_request_) != SINEW_OK) return std::nullopt;
  return world_request_.message;
}

void DeviceServer::publish(const Simulation& simulation, const SimulatedDevice& device, double rate) {
  // inputs first: a controller in step with the states then has those of the same instant
  publish_io(device);
  static_cast<void>(channels_.states.put(device.state()));
  publish_clock(simulation, rate);
}

void DeviceServer::publish_io(const SimulatedDevice& device) {
  IoState io = device.io().state();
  io.stamp_ns = told_io_.stamp_ns;
  const bool is_news = std::memcmp(&io, &told_io_, sizeof io) != 0;
  const std::int64_t now_ns = device.state().stamp_ns;
  if (!is_news && now_ns - told_io_.stamp_ns < kBetweenIo_ns) return;
  io.stamp_ns = now_ns;
  static_cast<void>(channels_.io.put(io));
  told_io_ = io;
}

void DeviceServer::publish_clock(const Simulation& simulation, double rate) {
  static_cast<void>(channels_.clock.put({.stamp_ns = simulation.now_ns(),
                                         .monotonic_ns = monotonic_now_ns(),
                                         .rate = rate,
                                         .last_request = confirmed_,
                                         .refusals = refusals_}));
}

void DeviceServer::publish_touch(const TouchSense& touch, std::size_t robot) {
  for (const ContactEvent& event : touch.events()) static_cast<void>(channels_.contacts.put(event));
  if (touch.has_news(robot)) static_cast<void>(channels_.grasp.put(touch.grasp(robot)));
}

void DeviceServer::publish_world(const World& world) {
  static_cast<void>(channels_.world.put(world));
}

}  // namespace sinew
