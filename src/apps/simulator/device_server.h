// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sinew/channels/channel.h"
#include "sinew/messages/grasp.h"
#include "sinew/messages/health.h"
#include "sinew/messages/io.h"
#include "sinew/messages/safety.h"
#include "sinew/messages/schemas.h"
#include "sinew/messages/world.h"
#include "sinew/processes/identity.h"
#include "sinew/simulation/simulation.h"

namespace sinew {

/// The channels of one simulated robot: commands and requests in; state, clock and the true world out.
class DeviceServer {
 public:
  static Result<DeviceServer> open(const std::string& robot, const std::string& space);

  /// Whether a controller was driving the robot when these channels were opened: it knew another device, and
  /// must be told that this one is new.
  bool was_driven() const { return was_driven_; }

  /// Gives the device what has come since the last time.
  void take_commands(SimulatedDevice& device);

  /// Waits until the robot's controller has answered the state of `state_ns` (robot time), or one within its
  /// period before that. False: it has not by `deadline_ns` (monotonic).
  bool await_command(std::int64_t state_ns, std::int64_t deadline_ns);
  /// Its channels were removed, and nobody can drive the robot by them any more.
  bool is_removed() const { return is_removed_; }
  /// The process that gave the last command is dead.
  bool is_orphaned() const;
  /// The controller does not answer: it is not waited for again until it commands.
  void give_up() { is_silent_ = true; }

  /// Sleeps until somebody asks something of the whole world by this robot's channel, or until `deadline_ns`
  /// (monotonic).
  void await_request(std::int64_t deadline_ns);
  /// The next request for the whole world, if there is one.
  std::optional<SimulationRequest> next_request();
  /// It has been carried out, or refused: the clock tells from now on.
  void confirm() { confirmed_ = world_request_.info.sequence; }
  void refuse() { ++refusals_; }

  /// Tells where the joints are, and what time it is at `rate` robot seconds per second.
  void publish(const Simulation& simulation, const SimulatedDevice& device, double rate);
  void publish_clock(const Simulation& simulation, double rate);
  void publish_world(const World& world);
  /// What the grippers of robot `robot` hold, and what began or ceased to touch in the last step.
  void publish_touch(const TouchSense& touch, std::size_t robot);

  /// How long an answer is waited for: long enough for a controller on a machine with much to do.
  static constexpr std::int64_t kPatience_ns = 500 * kMillisecond_ns;

 private:
  struct Channels {
    Reader<JointCommand> commands;
    Reader<ControlRequest> requests;
    Reader<Health> health;
    Reader<SimulationRequest> world_requests;
    Writer<JointState> states;
    Writer<Clock> clock;
    Writer<World> world;
    Reader<IoCommand> io_commands;
    Writer<IoState> io;
    Writer<GraspState> grasp;
    Writer<ContactEvent> contacts;
  };
  explicit DeviceServer(Channels channels);
  void read_command();
  bool is_obeyed(const sinew_frame& sender);
  void publish_io(const SimulatedDevice& device);

  Channels channels_;
  Frame<JointCommand> command_{};
  Frame<JointCommand> arrived_{};
  std::optional<processes::ProcessIdentity> commander_;  ///< Who put command_; none: nobody who lives.
  Frame<Health> health_{};                               ///< Of the controller, which tells its period.
  Frame<ControlRequest> request_{};
  Frame<IoCommand> io_command_{};
  IoState told_io_;
  Frame<SimulationRequest> world_request_{};
  bool is_fresh_ = false;  ///< command_ has not been given to the device yet.
  bool was_driven_ = false;
  bool is_removed_ = false;
  bool is_silent_ = true;  ///< The controller does not answer, or there is none.
  std::uint64_t confirmed_ = 0;
  std::uint64_t refusals_ = 0;
};

}  // namespace sinew
