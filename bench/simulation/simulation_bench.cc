// SPDX-License-Identifier: BSD-3-Clause
// How fast worlds run in lockstep: one command and one state of every robot each simulated millisecond.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sinew/model/positions.h"
#include "sinew/simulation/simulated_driver.h"
#include "sinew/simulation/world_yaml.h"

namespace sinew {
namespace {

constexpr int kBatch = 100;  // steps measured together

/// CPU time of this process: other load on the machine does not count.
double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Microseconds per step, one number for each batch, sorted.
std::vector<double> measure(Simulation& simulation, int batches) {
  const SceneRobot& robot = simulation.scene().robots.front();
  SimulatedDriver driver(simulation, robot.name);
  static_cast<void>(driver.connect());
  JointState state;
  JointCommand command{.moved_mask = enabled_mask(robot.model),
                       .joint_count = static_cast<std::uint32_t>(robot.start.size()),
                       .is_enabled = 1};
  std::vector<double> times;
  for (int cycle = 0; cycle < batches * kBatch;) {
    const double begun = cpu_seconds();
    for (int i = 0; i < kBatch; ++i, ++cycle) {
      driver.read(simulation.now_ns(), state);
      for (std::size_t j = 0; j < robot.start.size(); ++j) {
        command.position[j] = robot.start[j] + 0.05 * (1.0 - std::cos(2e-3 * cycle));
        command.velocity[j] = 0.1 * std::sin(2e-3 * cycle);
      }
      driver.write(command);
      simulation.step();
    }
    times.push_back(1e6 * (cpu_seconds() - begun) / kBatch);
  }
  std::ranges::sort(times);
  return times;
}

int run(const std::vector<std::string>& words) {
  const bool is_quick = std::ranges::find(words, "--quick") != words.end();
  fmt::print("{:<8} {:<16} {:>7} {:>9} {:>9} {:>10}\n", "world", "robot", "joints", "p50 us", "p99 us",
             "x real");
  const WorldPlaces places = usual_world_places();
  for (const std::string world : {"empty", "table"}) {
    for (const std::string& model : robot_names(places.robots)) {
      if (is_quick && model != "mds") continue;
      auto scene = load_world(world, places);
      auto robot = scene_robot(model, model, "", places.robots);
      if (!scene || !robot) return 1;
      scene->robots.push_back(*std::move(robot));
      const auto simulation = Simulation::make(*std::move(scene));
      if (!simulation) return 1;
      const std::vector<double> times = measure(**simulation, is_quick ? 5 : 50);
      const double median = times[times.size() / 2];
      fmt::print("{:<8} {:<16} {:>7} {:>9.1f} {:>9.1f} {:>10.1f}\n", world, model,
                 (*simulation)->scene().robots[0].start.size(), median, times[times.size() * 99 / 100],
                 1e3 / median);
    }
  }
  return 0;
}

}  // namespace
}  // namespace sinew

int main(int count, char** words) {
  return sinew::run(std::vector<std::string>(words + 1, words + count));
}
