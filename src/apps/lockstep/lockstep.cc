// SPDX-License-Identifier: BSD-3-Clause
#include "apps/lockstep/lockstep.h"

#include <utility>

#include <fmt/format.h>

#include "sinew/collision/robot_shapes.h"
#include "sinew/mesh/mesh_points.h"

namespace sinew {

Result<std::unique_ptr<Lockstep>> Lockstep::make(Scene scene, const std::string& robot,
                                                 const RobotControl& settings) {
  std::unique_ptr<Lockstep> lockstep(new Lockstep);
  auto simulation = Simulation::make(std::move(scene));
  if (!simulation) return simulation.error();
  lockstep->simulation_ = *std::move(simulation);
  lockstep->simulation_->start_at(kSecond_ns);
  lockstep->robot_ = lockstep->simulation_->find_robot(robot);
  if (lockstep->robot_ == kNone)
    return Error{ErrorCode::NotFound, fmt::format("there is no robot '{}' in this world", robot)};

  auto shapes = RobotShapes::make(lockstep->model(), guard_options(settings, points_of_mesh));
  if (!shapes) return shapes.error();
  lockstep->shapes_ = std::make_unique<RobotShapes>(*std::move(shapes));
  lockstep->driver_ = std::make_unique<SimulatedDriver>(*lockstep->simulation_, robot);
  if (Status connected = lockstep->driver_->connect(); !connected) return connected.error();
  auto controller = Controller::make(lockstep->model(), *lockstep->shapes_, settings.cycle);
  if (!controller) return controller.error();
  lockstep->controller_ = *std::move(controller);
  lockstep->outputs_ = std::make_unique<OutputGate>(lockstep->model());
  lockstep->period_ns_ = settings.cycle.period_ns;
  return lockstep;
}

Status Lockstep::show_world() {
  const auto world = std::make_unique<World>(simulation_->world());
  auto read = read_world(*world, model());
  if (!read) return read.error();
  world_ = *std::move(read);
  controller_->take_world(world_->obstacles);
  return Done{};
}

const ControlOutput& Lockstep::step() {
  const ControlOutput& output = control();
  pass_time();
  return output;
}

const ControlOutput& Lockstep::control() {
  driver_->read(now_ns(), state_);
  const ControlOutput& output = controller_->step(state_, now_ns());
  if (output.events.wants_reset) driver_->reset();
  if (output.events.wants_homing) driver_->home();
  driver_->write(output.command);
  if (const IoCommand* told = outputs_->step(output.safety.state, now_ns())) driver_->write_io(*told);
  driver_->read_io(io_);
  return output;
}

}  // namespace sinew
