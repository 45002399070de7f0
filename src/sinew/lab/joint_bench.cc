// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/lab/joint_bench.h"

#include <algorithm>
#include <utility>

#include "sinew/model/positions.h"

namespace sinew::lab {

JointBench::JointBench(std::unique_ptr<Simulation> simulation, std::size_t position, std::vector<double> held)
    : simulation_(std::move(simulation)), position_(position), held_(std::move(held)) {}

Result<JointBench> JointBench::make(const RobotModel& model, std::size_t position, double start) {
  std::vector<double> held = starting_positions(model);
  held[position] = start;
  Scene scene{.name = "lab"};
  scene.robots.push_back({.name = "robot", .model = model, .start = held});
  auto simulation = Simulation::make(std::move(scene));
  if (!simulation) return simulation.error();
  return JointBench(*std::move(simulation), position, std::move(held));
}

void JointBench::lead(double goal, std::int64_t duration_ns) {
  const std::int64_t steps = std::max<std::int64_t>(1, duration_ns / kMillisecond_ns);
  const double from = held_[position_];
  const double velocity = (goal - from) / (1e-3 * static_cast<double>(steps));
  for (std::int64_t step = 1; step <= steps; ++step) {
    held_[position_] = from + (goal - from) * static_cast<double>(step) / static_cast<double>(steps);
    JointCommand command{.stamp_ns = simulation_->now_ns(),
                         .cycle = ++cycle_,
                         .moved_mask = enabled_mask(simulation_->scene().robots[0].model),
                         .joint_count = static_cast<std::uint32_t>(held_.size()),
                         .is_enabled = 1};
    std::ranges::copy(held_, command.position.begin());
    command.velocity[position_] = velocity;
    simulation_->device(0).take(command);
    simulation_->advance(kMillisecond_ns);
  }
}

}  // namespace sinew::lab
