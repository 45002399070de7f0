// SPDX-License-Identifier: BSD-3-Clause
#include "apps/lockstep/lockstep.h"

#include <utility>

#include <fmt/format.h>

#include "sinew/collision/robot_shapes.h"
#include "sinew/mesh/mesh_points.h"
#include "sinew/simulation/object_message.h"

namespace sinew {
namespace {

/// Of `ref/motion`; tests have the first ones.
constexpr std::size_t kMotionSource = kMaxSources - 1;

/// As the robot whose root stands at X_WB sees it.
void move_into(const Pose& X_WB, World& world) {
  for (std::size_t i = 0; i < world.object_count; ++i) {
    WorldObject& object = world.objects[i];
    const Pose X_BO =
        inverse(X_WB) * Pose{.rotation = Quaternion(object.qw, object.qx, object.qy, object.qz),
                             .position = Vector3(object.position[0], object.position[1], object.position[2])};
    object.position = {X_BO.position.x(), X_BO.position.y(), X_BO.position.z()};
    object.qw = X_BO.rotation.w();
    object.qx = X_BO.rotation.x();
    object.qy = X_BO.rotation.y();
    object.qz = X_BO.rotation.z();
  }
}

}  // namespace

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
  // whole steps of the physics, and no less than a period: a cycle moves the robot on by as much
  const std::int64_t step_ns = lockstep->simulation_->time_step_ns();
  lockstep->period_ns_ = (settings.cycle.period_ns + step_ns - 1) / step_ns * step_ns;
  lockstep->margin_ = guard_options(settings).margin;
  return lockstep;
}

Status Lockstep::add_motion(MotionSettings settings) {
  settings.margin = margin_;
  if (!settings.mesh_points) settings.mesh_points = points_of_mesh;
  auto motion = MotionService::make(model(), settings);
  if (!motion) return motion.error();
  motion_ = *std::move(motion);
  const auto object = [this](std::string_view name) -> Result<Pose> {
    const auto X_WO = simulation_->object_pose(std::string(name));
    if (!X_WO) return X_WO.error();
    return inverse(simulation_->scene().robots[robot_].X_WB) * *X_WO;
  };
  programs_ = std::make_unique<ProgramService>(model(), *motion_,
                                               ProgramSettings{.margin = margin_,
                                                               .mesh_points = settings.mesh_points,
                                                               .payload = settings.payload,
                                                               .objects = object});
  targets_ = std::make_unique<TargetService>(model(), *motion_);
  motors_ = std::make_unique<MotorService>(model(), *motion_);
  controller_->set_source(kMotionSource, "motion", 0);
  return world_ == nullptr ? Status(Done{}) : show_world();
}

Status Lockstep::show_world() {
  const auto world = std::make_unique<World>(simulation_->world());
  const SceneRobot& self = simulation_->scene().robots[robot_];
  if (simulation_->scene().has_floor && !self.is_free && world->object_count < kMaxObjects)
    world->objects[world->object_count++] = floor_message({});
  move_into(self.X_WB, *world);
  if (const Status told = tell_guard(*world); !told) return told;
  return motion_ == nullptr ? Status(Done{}) : motion_->take_world(*world);
}

Status Lockstep::tell_guard(const World& world) {
  auto read = read_world(world, model(), world_.get());
  if (!read) return read.error();
  world_before_ = std::exchange(world_, *std::move(read));
  controller_->take_world(world_->obstacles);
  return Done{};
}

std::uint64_t Lockstep::ask(Request request) {
  if (request.stamp_ns == 0) request.stamp_ns = now_ns();
  asked_.emplace_back(++last_number_, request);
  return last_number_;
}

std::optional<Reply> Lockstep::final_reply(std::uint64_t number) const {
  for (const Reply& reply : replies_)
    if (reply.request == number && reply.status != ReplyStatus::Accepted) return reply;
  return std::nullopt;
}

std::optional<Reply> Lockstep::wait_for(std::uint64_t number, std::int64_t most_ns) {
  const std::int64_t end_ns = now_ns() + most_ns;
  while (now_ns() < end_ns) {
    step();
    if (const auto reply = final_reply(number)) return reply;
  }
  return std::nullopt;
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
  if (motion_ != nullptr) run_motion(output);
  return output;
}

MotionState Lockstep::motion_state() const {
  MotionState state = motion_->motion_state(now_ns());
  programs_->tell(state);
  return state;
}

// What the channels between the two processes carry.
void Lockstep::run_motion(const ControlOutput& output) {
  motion_->take_safety(output.safety, now_ns());
  if (now_ns() < motion_due_ns_) return;
  motion_due_ns_ = now_ns() + kBetweenMotion_ns;
  motion_->take_state(state_);
  motion_->take_command(output.command);
  programs_->take_io(io_);
  for (const auto& [number, request] : std::exchange(asked_, {}))
    if (!programs_->take_request(number, request, now_ns()) &&
        !targets_->take_request(number, request, now_ns()) &&
        !motors_->take_request(number, request, now_ns()))
      motion_->take_request(number, request, now_ns());
  const ProgramOutput& of_program = programs_->step(now_ns());
  replies_.insert(replies_.end(), of_program.replies.begin(), of_program.replies.end());
  if (of_program.io) put(*of_program.io);
  const std::vector<Reply>& of_targets = targets_->step(now_ns());
  replies_.insert(replies_.end(), of_targets.begin(), of_targets.end());
  const std::vector<Reply>& of_motors = motors_->step();
  replies_.insert(replies_.end(), of_motors.begin(), of_motors.end());
  const MotionOutput& told = motion_->step(now_ns());
  programs_->take_answers(told);
  targets_->take_answers(told);
  replies_.insert(replies_.end(), told.replies.begin(), told.replies.end());
  if (told.reference) controller_->take_reference(kMotionSource, *told.reference, now_ns());
  for (const Segment& piece : told.segments) controller_->take_segment(piece);
  // whatever the service understands the guard understands as well: they read it alike
  if (told.has_new_world) static_cast<void>(tell_guard(motion_->world()));
}

}  // namespace sinew
