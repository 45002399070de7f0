// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sinew/simulation/simulation.h"

#include "apps/simulator/device_server.h"
#include "apps/simulator/step_pace.h"

namespace sinew {

struct SimulatorOptions {
  std::string space = "default";
  double speed = 1.0;  ///< Simulated seconds per second.
  bool is_paused = false;
};

/// A world that runs beside the clock, each robot of it a device on its channels.
class Simulator {
 public:
  static Result<std::unique_ptr<Simulator>> make(Scene scene, const SimulatorOptions& options);

  /// Sleeps until the next step is due, at most a tenth of a second, and takes it.
  void turn();

  void pause(bool is_paused);
  bool is_paused() const { return is_paused_; }
  /// One step while paused.
  void step();
  void set_speed(double speed);
  double speed() const { return speed_; }

  const Simulation& simulation() const { return *simulation_; }
  std::int64_t lost_ns() const { return lost_before_ns_ + pace_.lost_ns(); }

 private:
  Simulator(std::unique_ptr<Simulation> simulation, const SimulatorOptions& options);
  void publish_paused();

  std::unique_ptr<Simulation> simulation_;
  std::vector<DeviceServer> servers_;
  double speed_;
  bool is_paused_;
  StepPace pace_;
  std::int64_t lost_before_ns_ = 0;
  std::int64_t world_due_ns_ = 0;
  std::unique_ptr<World> world_;  ///< Too large for a stack.
};

}  // namespace sinew
