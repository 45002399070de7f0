// SPDX-License-Identifier: BSD-3-Clause
#include "apps/simulator/simulator.h"

#include <time.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/base/time.h"

#include "apps/cli/sim_control.h"
#include "apps/simulator/known_world.h"

namespace sinew {
namespace {

constexpr std::int64_t kBetweenWorlds_ns = 50 * kMillisecond_ns;
constexpr std::int64_t kBetweenPausedClocks_ns = 100 * kMillisecond_ns;
constexpr std::int64_t kBetweenLooks_ns = 10 * kMillisecond_ns;
constexpr std::int64_t kBetweenRates_ns = 100 * kMillisecond_ns;

void rest_until(std::int64_t due_ns) {
  const timespec due{static_cast<time_t>(due_ns / kSecond_ns), static_cast<long>(due_ns % kSecond_ns)};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, nullptr);
}

// for a world without a pace of its own any will do
double pace_of(double speed) {
  return std::isfinite(speed) ? speed : 1.0;
}

}  // namespace

Simulator::Simulator(std::unique_ptr<Simulation> simulation, const SimulatorOptions& options)
    : simulation_(std::move(simulation)),
      speed_(options.speed),
      is_paused_(options.is_paused),
      pace_(simulation_->time_step_ns(), pace_of(options.speed), monotonic_now_ns()),
      world_(std::make_unique<World>()) {}

Result<std::unique_ptr<Simulator>> Simulator::make(Scene scene, const SimulatorOptions& options) {
  auto simulation = Simulation::make(std::move(scene));
  if (!simulation) return simulation.error();
  std::unique_ptr<Simulator> simulator(new Simulator(*std::move(simulation), options));
  Simulation& world = *simulator->simulation_;
  for (const SceneRobot& robot : world.scene().robots) {
    auto server = DeviceServer::open(robot.name, options.space);
    if (!server) return server.error();
    if (server->was_driven()) world.device(simulator->servers_.size()).restart(robot.start);
    auto remarks = tell_known_world(world.scene(), simulator->servers_.size(), options.space);
    if (!remarks) return remarks.error();
    simulator->remarks_.insert(simulator->remarks_.end(), remarks->begin(), remarks->end());
    simulator->servers_.push_back(*std::move(server));
  }
  // robot time begins as the machine's, so that both mean the same at speed 1
  simulator->simulation_->start_at(monotonic_now_ns());
  simulator->pace_.resume_at(monotonic_now_ns());
  return simulator;
}

void Simulator::turn() {
  take_requests();
  if (is_paused_ && steps_left_ == 0) return stand_still();
  if (is_paused_ && --steps_left_ == 0)
    for (DeviceServer& server : servers_) server.confirm();
  if (is_paused_ || !std::isfinite(speed_)) return step_with_controllers();
  rest_until(std::min(pace_.due_ns(), monotonic_now_ns() + kBetweenLooks_ns));
  const int steps = pace_.steps_at(monotonic_now_ns());
  // whoever is late catches up no faster than its controllers follow: they have not been silent
  const bool is_hurrying = speed_ > 1.0 || steps > 1;
  for (int i = 0; i < steps; ++i) {
    if (is_hurrying)
      step_with_controllers();
    else
      step_beside_the_clock();
  }
}

// ---- what is asked ----

void Simulator::take_requests() {
  for (std::size_t i = 0; i < servers_.size(); ++i) {
    DeviceServer& server = servers_[i];
    while (const auto request = server.next_request()) {
      if (!carry_out(*request, i)) server.refuse();
      // steps are told of when they have been taken, all else at once: whoever asked may wait for it
      if (steps_left_ > 0) return;
      server.confirm();
      server.publish_clock(*simulation_, rate());
    }
  }
}

bool Simulator::carry_out(const SimulationRequest& request, std::size_t robot) {
  switch (request.verb) {
    case SimulationVerb::Pause:
    case SimulationVerb::Resume:
      pause(request.verb == SimulationVerb::Pause);
      return true;
    case SimulationVerb::Step:
      if (request.steps == 0) return false;
      pause(true);
      steps_left_ = request.steps;
      return true;
    case SimulationVerb::Speed:
      if (request.speed != 0.0 &&
          !(request.speed >= cli::kSlowestWorld && request.speed <= cli::kFastestWorld))
        return false;
      set_speed(request.speed == 0.0 ? kAsFastAsItCan : request.speed);
      pause(false);
      return true;
    case SimulationVerb::Reset:
      return reset().has_value();
    case SimulationVerb::SetInput:
      return simulation_->device(robot).io().set_input(request.port, request.value != 0.0);
    case SimulationVerb::SetAnalogInput:
      return simulation_->device(robot).io().set_analog_input(request.port, request.value);
  }
  return false;
}

void Simulator::pause(bool is_paused) {
  is_paused_ = is_paused;
  steps_left_ = 0;
  pace_.resume_at(monotonic_now_ns());
  rate_from_ns_ = 0;
}

void Simulator::set_speed(double speed) {
  lost_before_ns_ += pace_.lost_ns();
  speed_ = speed;
  pace_ = StepPace(simulation_->time_step_ns(), pace_of(speed), monotonic_now_ns());
  rate_from_ns_ = 0;
}

Status Simulator::reset() {
  const Status done = simulation_->reset();
  if (done) publish_all();
  return done;
}

// ---- steps ----

void Simulator::step_with_controllers() {
  for (DeviceServer& server : servers_) await(server);
  step();
}

// Not each state is waited to be answered. But a device would brake where its controller has merely been kept
// from its turn, by the machine that simulates the device as well: then the world has been, too.
void Simulator::step_beside_the_clock() {
  for (std::size_t i = 0; i < servers_.size(); ++i) {
    servers_[i].take_commands(simulation_->device(i));
    if (simulation_->device(i).misses_command(simulation_->time_step_ns())) await(servers_[i]);
  }
  step();
}

// Time stands for all robots while one is waited for, and they are told: else they took it for silence.
void Simulator::await(DeviceServer& server) {
  const std::int64_t deadline_ns = monotonic_now_ns() + DeviceServer::kPatience_ns;
  while (!server.await_command(simulation_->now_ns(), monotonic_now_ns() + kBetweenLooks_ns)) {
    if (monotonic_now_ns() >= deadline_ns || server.is_orphaned()) return server.give_up();
    for (DeviceServer& each : servers_) each.publish_clock(*simulation_, 0.0);
  }
}

void Simulator::step() {
  for (std::size_t i = 0; i < servers_.size(); ++i) servers_[i].take_commands(simulation_->device(i));
  simulation_->step();
  measure_rate();
  publish_all();
}

void Simulator::publish_all() {
  for (std::size_t i = 0; i < servers_.size(); ++i) {
    servers_[i].publish(*simulation_, simulation_->device(i), rate());
    servers_[i].publish_touch(simulation_->touch(), i);
  }
  const std::int64_t now_ns = monotonic_now_ns();
  if (now_ns < world_due_ns_ && !is_paused_) return;
  world_due_ns_ = now_ns + kBetweenWorlds_ns;
  *world_ = simulation_->world();
  for (DeviceServer& server : servers_) server.publish_world(*world_);
}

void Simulator::stand_still() {
  const std::int64_t now_ns = monotonic_now_ns();
  if (now_ns >= clock_due_ns_) {
    for (DeviceServer& server : servers_) server.publish_clock(*simulation_, 0.0);
    clock_due_ns_ = now_ns + kBetweenPausedClocks_ns;
  }
  // who steps it asks by the first robot's channel, as a rule, and need not wait
  if (servers_.empty()) return rest_until(now_ns + kBetweenLooks_ns);
  servers_.front().await_request(now_ns + kBetweenLooks_ns);
}

// ---- rates ----

double Simulator::rate() const {
  if (is_paused_) return 0.0;
  return speed_ <= 1.0 ? speed_ : measured_rate_;
}

// A world faster than real time goes as fast as its controllers can follow.
void Simulator::measure_rate() {
  const std::int64_t now_ns = monotonic_now_ns();
  const std::int64_t passed_ns = now_ns - rate_from_ns_;
  if (rate_from_ns_ != 0 && passed_ns < kBetweenRates_ns) return;
  if (rate_from_ns_ != 0)
    measured_rate_ =
        static_cast<double>(simulation_->now_ns() - rate_from_robot_ns_) / static_cast<double>(passed_ns);
  rate_from_ns_ = now_ns;
  rate_from_robot_ns_ = simulation_->now_ns();
}

}  // namespace sinew
