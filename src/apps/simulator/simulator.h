// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "sinew/simulation/simulation.h"

#include "apps/simulator/device_server.h"
#include "apps/simulator/step_pace.h"

namespace sinew {

/// A speed: each step as soon as the one before is done.
inline constexpr double kAsFastAsItCan = std::numeric_limits<double>::infinity();

struct SimulatorOptions {
  std::string space = "default";
  double speed = 1.0;  ///< Simulated seconds per second: of sim_control.h, or kAsFastAsItCan.
  bool is_paused = false;
};

/// A world that runs beside the clock, each robot of it a device on its channels. When it runs faster than
/// real time, or step by step, each step waits until the controllers have answered the one before; up to real
/// time it waits only for one that is late and lives, before its device would brake for want of commands.
class Simulator {
 public:
  static Result<std::unique_ptr<Simulator>> make(Scene scene, const SimulatorOptions& options);

  /// Does what is asked on the channels; then sleeps until the next step is due, at most a tenth of a second,
  /// and takes it.
  void turn();

  void pause(bool is_paused);
  bool is_paused() const { return is_paused_; }
  /// One step while paused.
  void step();
  void set_speed(double speed);
  double speed() const { return speed_; }
  /// Everything back to where it started.
  Status reset();

  /// The channels of a robot were removed.
  bool is_cut_off() const { return std::ranges::any_of(servers_, &DeviceServer::is_removed); }

  const Simulation& simulation() const { return *simulation_; }
  /// What robots could not be told of their world, for people to see.
  const std::vector<std::string>& remarks() const { return remarks_; }
  std::int64_t lost_ns() const { return lost_before_ns_ + pace_.lost_ns(); }
  /// Simulated seconds per second, as it is: zero while paused.
  double rate() const;

 private:
  Simulator(std::unique_ptr<Simulation> simulation, const SimulatorOptions& options);
  void take_requests();
  /// False: it makes no sense.
  bool carry_out(const SimulationRequest& request, std::size_t robot);
  void step_with_controllers();
  void step_beside_the_clock();
  void await(DeviceServer& server);
  void stand_still();
  void publish_all();
  void measure_rate();

  std::unique_ptr<Simulation> simulation_;
  std::vector<DeviceServer> servers_;
  std::vector<std::string> remarks_;
  double speed_;
  bool is_paused_;
  std::uint32_t steps_left_ = 0;  ///< To take while paused.
  StepPace pace_;
  std::int64_t lost_before_ns_ = 0;
  std::int64_t world_due_ns_ = 0;
  std::int64_t clock_due_ns_ = 0;
  double measured_rate_ = 1.0;
  std::int64_t rate_from_ns_ = 0;        ///< Monotonic, where measuring began.
  std::int64_t rate_from_robot_ns_ = 0;  ///< Robot time at that moment.
  std::unique_ptr<World> world_;         ///< Too large for a stack.
};

}  // namespace sinew
