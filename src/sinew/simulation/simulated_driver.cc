// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/simulation/simulated_driver.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sinew/base/text.h"
#include "sinew/model/positions.h"

namespace sinew {

SimulatedDriver::SimulatedDriver(Simulation& simulation, std::string robot)
    : simulation_(simulation), robot_(std::move(robot)) {}

Status SimulatedDriver::connect() {
  const std::size_t found = simulation_.find_robot(robot_);
  if (found == kNone) {
    std::vector<std::string> names;
    for (const SceneRobot& robot : simulation_.scene().robots) names.push_back(robot.name);
    return Error{ErrorCode::NotFound,
                 fmt::format("there is no robot '{}' in the world '{}'{}; it has: {}", robot_,
                             simulation_.scene().name, did_you_mean(robot_, names),
                             names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")))};
  }
  device_ = &simulation_.device(found);
  return Done{};
}

DeviceFacts SimulatedDriver::facts() const {
  const std::size_t found = simulation_.find_robot(robot_);
  if (found == kNone) return {};
  return {.watchdog_ns = simulation_.device(found).watchdog_ns(),
          .joint_mask = enabled_mask(simulation_.scene().robots[found].model),
          .has_homing = !simulation_.scene().robots[found].model.homing.empty(),
          .has_io = true};
}

void SimulatedDriver::read(std::int64_t /*now_ns*/, JointState& state) SINEW_REALTIME {
  if (device_ == nullptr) {
    state.fault_bits |= kFaultLost;
    return;
  }
  state = device_->state();
  // physics that has lost its numbers is a device that is gone
  if (!simulation_.is_stable()) state.fault_bits |= kFaultLost;
}

void SimulatedDriver::write(const JointCommand& command) SINEW_REALTIME {
  if (device_ != nullptr) device_->take(command);
}

void SimulatedDriver::read_io(IoState& io) SINEW_REALTIME {
  if (device_ == nullptr) return;
  io = device_->io().state();
  io.stamp_ns = device_->state().stamp_ns;
}

void SimulatedDriver::write_io(const IoCommand& command) SINEW_REALTIME {
  if (device_ != nullptr) device_->take(command);
}

void SimulatedDriver::home() SINEW_REALTIME {
  if (device_ != nullptr) device_->home();
}

void SimulatedDriver::reset() SINEW_REALTIME {
  if (device_ != nullptr) device_->reset();
}

void SimulatedDriver::disconnect() noexcept {
  if (device_ != nullptr) device_->stop();
  device_ = nullptr;
}

}  // namespace sinew
