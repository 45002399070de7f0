// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/simulation/device.h"

#include <algorithm>
#include <cmath>

#include "sinew/drivers/command_check.h"
#include "sinew/model/positions.h"

namespace sinew {
namespace {

// of a command at least: one period of most controllers, give or take its jitter
constexpr std::int64_t kShortestLife_ns = 2 * kMillisecond_ns;
// a joint that is so far behind while it looks for its switch is kept from moving [rad, m]
constexpr double kMostSlip = 0.05;

}  // namespace

double brake_deceleration(const JointLimits& limits) {
  // a drive that stops by itself uses what the motor has, not what is gentle
  constexpr double kHarder = 5.0;
  constexpr double kStopSeconds = 0.1;
  constexpr double kUnknown = 10.0;
  const double gentle = std::isfinite(limits.acceleration) ? kHarder * limits.acceleration : 0.0;
  const double quick = std::isfinite(limits.velocity) ? limits.velocity / kStopSeconds : 0.0;
  const double deceleration = gentle > 0.0 ? gentle : quick;
  return deceleration > 0.0 ? deceleration : kUnknown;
}

SimulatedDevice::SimulatedDevice(const RobotModel& model, std::span<const double> start,
                                 const Options& options)
    : model_(model),
      options_(options),
      encoders_(model, options.noise, options.seed),
      references_(start.size()),
      q_(start.size()),
      offset_(start.size()),
      homing_(model),
      enabled_mask_(enabled_mask(model)),
      io_(model) {
  for (std::size_t i = 0; i < start.size(); ++i)
    brake_.push_back(brake_deceleration(model.joints[model.positions[i]].limits));
  state_.joint_count = static_cast<std::uint32_t>(start.size());
  for (std::size_t i = 0; i < start.size(); ++i) state_.measured_mask |= std::uint64_t{1} << i;
  state_.load_mask = state_.measured_mask;
  switch_on(start);
}

void SimulatedDevice::switch_on(std::span<const double> start) {
  const std::vector<double> taken = starting_positions(model_);
  std::ranges::fill(offset_, 0.0);
  for (const HomeSwitch& home : model_.homing)
    offset_[home.position] = start[home.position] - taken[home.position];
  for (std::size_t i = 0; i < start.size(); ++i) {
    q_[i] = start[i];
    references_[i] = {.position = start[i]};
    state_.position[i] = start[i] - offset_[i];
  }
  is_homed_ = model_.homing.empty();
  state_.fault_bits = is_homed_ ? 0 : kFaultNotHomed;
}

void SimulatedDevice::take(const JointCommand& command) SINEW_REALTIME {
  if (!is_sound(command, state_.joint_count)) {
    state_.fault_bits |= kFaultNonsense;
    return;
  }
  if ((state_.fault_bits & (kFaultWatchdog | kFaultLost)) != 0) return;
  command_ = command;
  is_fresh_ = true;
  rhythm_.hear(command.stamp_ns);
}

void SimulatedDevice::take(const IoCommand& command) SINEW_REALTIME {
  if ((state_.fault_bits & (kFaultWatchdog | kFaultLost)) == 0) io_.take(command);
}

void SimulatedDevice::home() SINEW_REALTIME {
  if (model_.homing.empty() || (state_.fault_bits & (kFaultWatchdog | kFaultLost)) != 0) return;
  is_homed_ = false;
  state_.fault_bits |= kFaultNotHomed;
  homing_.begin();
}

void SimulatedDevice::reset() SINEW_REALTIME {
  state_.fault_bits = is_homed_ ? 0 : kFaultNotHomed;
  silent_ns_ = -1;
  rhythm_.forget();
}

void SimulatedDevice::stop() SINEW_REALTIME {
  homing_.end();
  is_fresh_ = false;
  driven_mask_ = 0;
  silent_ns_ = -1;
  rhythm_.forget();
}

void SimulatedDevice::restart(std::span<const double> start) {
  stop();
  encoders_ = Encoders(model_, options_.noise, options_.seed);
  switch_on(start);
  state_.velocity.fill(0.0);
  state_.load.fill(0.0);
  io_ = IoBoard(model_);
  state_.fault_bits |= kFaultLost;
}

bool SimulatedDevice::misses_command(std::int64_t step_ns) const {
  const bool is_driven = command_.is_enabled != 0 && (state_.fault_bits & (kFaultWatchdog | kFaultLost)) == 0;
  return is_driven && !is_fresh_ && silent_ns_ >= 0 && rhythm_.period_ns() > 0 &&
         silent_ns_ + step_ns >= command_life_ns();
}

void SimulatedDevice::advance(std::int64_t step_ns) {
  if (is_fresh_) {
    follow(command_);
    is_fresh_ = false;
    silent_ns_ = 0;
  } else if (silent_ns_ >= 0) {
    silent_ns_ += step_ns;
  }
  if (silent_ns_ >= command_life_ns()) driven_mask_ = 0;
  if (silent_ns_ > options_.watchdog_ns) {
    // after the word that the drives are off, silence is what is to be expected
    const bool is_missed = command_.is_enabled != 0 || homing_.is_searching();
    state_.fault_bits |= is_missed ? kFaultWatchdog : 0;
    io_.fall();
    homing_.end();
  }
  const double dt = seconds_from_nanoseconds(step_ns);
  const std::size_t led = homing_.is_searching() ? search(dt) : kNone;
  for (std::size_t i = 0; i < references_.size(); ++i)
    if (i != led && ((driven_mask_ >> i & 1) == 0 || silent_ns_ > 0)) coast(i, dt);
}

// The device's own motion: it looks at the cams, and moves one joint at a time.
std::size_t SimulatedDevice::search(double dt) {
  const HomingSearch::Order order = homing_.step(q_);
  if (order.is_at_edge != kNone) {
    const auto found = std::ranges::find(model_.homing, order.is_at_edge, &HomeSwitch::position);
    offset_[found->position] = q_[found->position] - found->edge;
  }
  if (order.joint != kNone) lead(order.joint, order.velocity, dt);
  const bool is_kept =
      order.joint != kNone && std::abs(references_[order.joint].position - q_[order.joint]) > kMostSlip;
  if (is_kept || homing_.is_lost()) {
    state_.fault_bits |= kFaultDrive;
    homing_.end();
    return kNone;
  }
  if (!homing_.is_searching()) {
    is_homed_ = true;
    state_.fault_bits &= ~kFaultNotHomed;
  }
  return order.joint;
}

// As fast as it is told, no sooner than it could brake.
void SimulatedDevice::lead(std::size_t joint, double velocity, double dt) {
  const JointLimits& limits = model_.joints[model_.positions[joint]].limits;
  ServoReference& reference = references_[joint];
  const double change = std::clamp(velocity - reference.velocity, -brake_[joint] * dt, brake_[joint] * dt);
  const double position = reference.position + (reference.velocity + change) * dt;
  reference.position = std::clamp(position, limits.lower, limits.upper);
  reference.acceleration = reference.position == position ? change / dt : 0.0;
  reference.velocity = reference.position == position ? reference.velocity + change : 0.0;
}

// A slow controller is no silent one.
std::int64_t SimulatedDevice::command_life_ns() const {
  return std::min(std::max(kShortestLife_ns, 2 * rhythm_.period_ns()), options_.watchdog_ns);
}

void SimulatedDevice::follow(const JointCommand& command) {
  driven_mask_ = command.is_enabled != 0 ? command.moved_mask & enabled_mask_ : 0;
  if (command.is_enabled != 0) homing_.end();
  for (std::size_t i = 0; i < references_.size(); ++i) {
    if ((driven_mask_ >> i & 1) == 0) continue;
    const JointLimits& limits = model_.joints[model_.positions[i]].limits;
    const double wanted = std::clamp(command.position[i], limits.lower, limits.upper);
    references_[i] = {.position = std::clamp(wanted + offset_[i], limits.lower, limits.upper),
                      .velocity = command.velocity[i],
                      .acceleration = std::isfinite(command.acceleration[i]) ? command.acceleration[i] : 0.0};
  }
}

void SimulatedDevice::coast(std::size_t joint, double dt) {
  ServoReference& reference = references_[joint];
  if (reference.velocity == 0.0) {
    reference.acceleration = 0.0;
    return;
  }
  const JointLimits& limits = model_.joints[model_.positions[joint]].limits;
  const bool brakes = (driven_mask_ >> joint & 1) == 0;
  const double speed = std::max(0.0, std::abs(reference.velocity) - (brakes ? brake_[joint] * dt : 0.0));
  const double velocity = std::copysign(speed, reference.velocity);
  reference.acceleration = (velocity - reference.velocity) / dt;
  reference.velocity = velocity;
  const double position = reference.position + velocity * dt;
  reference.position = std::clamp(position, limits.lower, limits.upper);
  if (reference.position != position) reference.velocity = 0.0;
}

void SimulatedDevice::measure(std::int64_t now_ns, std::span<const double> q, std::span<const double> v,
                              std::span<const double> effort) {
  state_.stamp_ns = now_ns;
  encoders_.measure(q, v, state_);
  for (std::size_t i = 0; i < q_.size(); ++i) {
    q_[i] = q[i];
    state_.position[i] -= offset_[i];
  }
  std::ranges::copy(effort, state_.load.begin());
}

}  // namespace sinew
