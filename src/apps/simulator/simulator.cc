// SPDX-License-Identifier: BSD-3-Clause
#include "apps/simulator/simulator.h"

#include <time.h>

#include <algorithm>
#include <utility>

#include "sinew/base/time.h"

namespace sinew {
namespace {

constexpr std::int64_t kBetweenWorlds_ns = 50 * kMillisecond_ns;
constexpr std::int64_t kBetweenPausedClocks_ns = 100 * kMillisecond_ns;

void rest_until(std::int64_t due_ns) {
  const timespec due{static_cast<time_t>(due_ns / kSecond_ns), static_cast<long>(due_ns % kSecond_ns)};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, nullptr);
}

}  // namespace

Simulator::Simulator(std::unique_ptr<Simulation> simulation, const SimulatorOptions& options)
    : simulation_(std::move(simulation)),
      speed_(options.speed),
      is_paused_(options.is_paused),
      pace_(simulation_->time_step_ns(), options.speed, monotonic_now_ns()),
      world_(std::make_unique<World>()) {}

Result<std::unique_ptr<Simulator>> Simulator::make(Scene scene, const SimulatorOptions& options) {
  auto simulation = Simulation::make(std::move(scene));
  if (!simulation) return simulation.error();
  std::unique_ptr<Simulator> simulator(new Simulator(*std::move(simulation), options));
  for (const SceneRobot& robot : simulator->simulation_->scene().robots) {
    auto server = DeviceServer::open(robot.name, options.space);
    if (!server) return server.error();
    simulator->servers_.push_back(*std::move(server));
  }
  // robot time begins as the machine's, so that both mean the same at speed 1
  simulator->simulation_->start_at(monotonic_now_ns());
  simulator->pace_.resume_at(monotonic_now_ns());
  return simulator;
}

void Simulator::turn() {
  const std::int64_t now_ns = monotonic_now_ns();
  if (is_paused_) {
    publish_paused();
    rest_until(now_ns + kBetweenPausedClocks_ns);
    return;
  }
  rest_until(std::min(pace_.due_ns(), now_ns + kBetweenPausedClocks_ns));
  const int steps = pace_.steps_at(monotonic_now_ns());
  for (int i = 0; i < steps; ++i) step();
}

void Simulator::step() {
  for (std::size_t i = 0; i < servers_.size(); ++i) servers_[i].take_commands(simulation_->device(i));
  simulation_->step();
  for (std::size_t i = 0; i < servers_.size(); ++i)
    servers_[i].publish(*simulation_, simulation_->device(i), is_paused_ ? 0.0 : speed_);
  const std::int64_t now_ns = monotonic_now_ns();
  if (now_ns < world_due_ns_ && !is_paused_) return;
  world_due_ns_ = now_ns + kBetweenWorlds_ns;
  *world_ = simulation_->world();
  for (DeviceServer& server : servers_) server.publish_world(*world_);
}

void Simulator::publish_paused() {
  for (DeviceServer& server : servers_) server.publish_clock(*simulation_, 0.0);
}

void Simulator::pause(bool is_paused) {
  is_paused_ = is_paused;
  pace_.resume_at(monotonic_now_ns());
}

void Simulator::set_speed(double speed) {
  lost_before_ns_ += pace_.lost_ns();
  speed_ = speed;
  pace_ = StepPace(simulation_->time_step_ns(), speed, monotonic_now_ns());
}

}  // namespace sinew
