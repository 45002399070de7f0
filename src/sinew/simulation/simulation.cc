// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/simulation/simulation.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include "sinew/base/hash.h"
#include "sinew/base/text.h"
#include "sinew/model/positions.h"
#include "sinew/simulation/object_message.h"

namespace sinew {
namespace {

Pose pose_of_body(const mjData& data, int body) {
  const double* p = data.xpos + 3 * body;
  const double* q = data.xquat + 4 * body;
  return {.rotation = Quaternion(q[0], q[1], q[2], q[3]), .position = Vector3(p[0], p[1], p[2])};
}

std::uint64_t hash_numbers(const double* numbers, std::size_t count, std::uint64_t start) {
  return fnv1a({reinterpret_cast<const char*>(numbers), count * sizeof(double)}, start);
}

}  // namespace

Result<std::unique_ptr<Simulation>> Simulation::make(Scene scene) {
  for (SceneRobot& robot : scene.robots)
    if (robot.start.empty()) robot.start = starting_positions(robot.model);
  auto physics = Physics::load(scene);
  if (!physics) return physics.error();
  return std::unique_ptr<Simulation>(new Simulation(std::move(scene), *std::move(physics)));
}

Simulation::Simulation(Scene scene, Physics physics)
    : scene_(std::move(scene)), first_objects_(scene_.objects), physics_(std::move(physics)) {
  const auto size = static_cast<std::size_t>(physics_.model().nv);
  wanted_acceleration_.resize(size);
  inertial_force_.resize(size);
  devices_.reserve(scene_.robots.size());
  for (std::size_t i = 0; i < scene_.robots.size(); ++i) {
    const SceneRobot& robot = scene_.robots[i];
    devices_.emplace_back(robot.model, robot.start,
                          SimulatedDevice::Options{.watchdog_ns = scene_.watchdog_ns,
                                                   .noise = scene_.noise,
                                                   .seed = fnv1a(robot.name, scene_.seed)});
  }
  touch_.bind(scene_, physics_);
}

void Simulation::step() {
  mjModel& model = physics_.model();
  mjData& data = physics_.data();
  // positions and what depends on them are as of the end of the last step
  for (std::size_t i = 0; i < devices_.size(); ++i) {
    devices_[i].advance(scene_.time_step_ns);
    for (const PhysicsJoint& joint : physics_.robots()[i].joints)
      wanted_acceleration_[static_cast<std::size_t>(joint.dof)] =
          joint.factor * devices_[i].references()[joint.position].acceleration;
  }
  mj_mulM(&model, &data, inertial_force_.data(), wanted_acceleration_.data());
  for (std::size_t i = 0; i < devices_.size(); ++i) drive(i);
  physics_.step();
  now_ns_ += scene_.time_step_ns;
  touch_.look(physics_, now_ns_);
  if (scene_.is_assisted) assist_.step(scene_, devices_, physics_, touch_);
  physics_.refresh();
  for (std::size_t i = 0; i < devices_.size(); ++i) measure(i);
}

void Simulation::advance(std::int64_t duration_ns) {
  for (std::int64_t i = 0; i < duration_ns / scene_.time_step_ns; ++i) step();
}

// The drive knows its robot: gravity, Coriolis and the wanted acceleration are fed forward, the servo mends
// the rest, and the motor gives no more than its effort.
void Simulation::drive(std::size_t robot) {
  mjData& data = physics_.data();
  for (PhysicsJoint& joint : physics_.robots()[robot].joints) {
    const double forward = data.qfrc_bias[joint.dof] + inertial_force_[static_cast<std::size_t>(joint.dof)];
    if (joint.motor < 0) {
      data.qfrc_applied[joint.dof] = forward;
      continue;
    }
    const ServoReference& reference = devices_[robot].references()[joint.position];
    const double velocity = data.qvel[joint.dof];
    const double wanted = forward + joint.gains.stiffness * (reference.position - data.qpos[joint.qpos]) +
                          joint.gains.damping * (reference.velocity - velocity);
    joint.effort = std::clamp(wanted, -joint.most_effort, joint.most_effort);
    // MuJoCo takes the damping off again, at the end of the step: implicitly, so that it is stable at any
    // gain
    data.ctrl[joint.motor] = joint.effort + joint.gains.damping * velocity;
  }
}

void Simulation::measure(std::size_t robot) {
  const mjData& data = physics_.data();
  std::array<double, kMaxJoints> q{};
  std::array<double, kMaxJoints> v{};
  std::array<double, kMaxJoints> effort{};
  for (const PhysicsJoint& joint : physics_.robots()[robot].joints) {
    if (joint.motor < 0) continue;
    q[joint.position] = data.qpos[joint.qpos];
    v[joint.position] = data.qvel[joint.dof];
    effort[joint.position] = joint.effort;
  }
  const std::size_t count = scene_.robots[robot].model.positions.size();
  devices_[robot].measure(now_ns_, {q.data(), count}, {v.data(), count}, {effort.data(), count});
}

bool Simulation::is_stable() const {
  const mjWarningStat* warning = physics_.data().warning;
  return warning[mjWARN_BADQPOS].number + warning[mjWARN_BADQVEL].number + warning[mjWARN_BADQACC].number ==
         0;
}

std::size_t Simulation::find_robot(std::string_view name) const {
  for (std::size_t i = 0; i < scene_.robots.size(); ++i)
    if (scene_.robots[i].name == name) return i;
  return kNone;
}

double Simulation::joint_position(std::size_t robot, std::size_t position) const {
  for (const PhysicsJoint& joint : physics_.robots()[robot].joints)
    if (joint.motor >= 0 && joint.position == position) return physics_.data().qpos[joint.qpos];
  return 0.0;
}

double Simulation::joint_velocity(std::size_t robot, std::size_t position) const {
  for (const PhysicsJoint& joint : physics_.robots()[robot].joints)
    if (joint.motor >= 0 && joint.position == position) return physics_.data().qvel[joint.dof];
  return 0.0;
}

Pose Simulation::X_WL(std::size_t robot, std::size_t link) const {
  return pose_of_body(physics_.data(), physics_.robots()[robot].link_bodies[link]);
}

std::vector<Touch> Simulation::contacts() const {
  const mjData& data = physics_.data();
  std::vector<Touch> found;
  for (int i = 0; i < data.ncon; ++i) {
    const mjContact& contact = data.contact[i];
    if (contact.dist > 0.0) continue;
    found.push_back({.a = physics_.owner_of_geom(contact.geom1),
                     .b = physics_.owner_of_geom(contact.geom2),
                     .depth = -contact.dist,
                     .point = Vector3(contact.pos[0], contact.pos[1], contact.pos[2])});
  }
  for (const RestingTouch& touch : physics_.resting().touches())
    found.push_back({.a = physics_.owner_of_geom(touch.geom_a),
                     .b = physics_.owner_of_geom(touch.geom_b),
                     .depth = touch.depth,
                     .point = touch.point});
  return found;
}

std::size_t Simulation::find_object(const std::string& name) const {
  for (std::size_t i = 0; i < scene_.objects.size(); ++i)
    if (scene_.objects[i].name == name) return i;
  return kNone;
}

Pose Simulation::X_WO(std::size_t object) const {
  return pose_of_body(physics_.data(), physics_.body(scene_.objects[object].name));
}

namespace {

Error no_object(const std::string& name, const Scene& scene) {
  std::vector<std::string> names;
  for (const SceneObject& object : scene.objects) names.push_back(object.name);
  return {ErrorCode::NotFound,
          fmt::format("there is no object '{}' in the world{}", name, did_you_mean(name, names))};
}

}  // namespace

Result<Pose> Simulation::object_pose(const std::string& name) const {
  const std::size_t object = find_object(name);
  if (object == kNone) return no_object(name, scene_);
  return X_WO(object);
}

Status Simulation::add_object(SceneObject object) {
  Scene changed = scene_;
  changed.objects.push_back(std::move(object));
  return rebuild(std::move(changed));
}

Status Simulation::remove_object(const std::string& name) {
  const std::size_t object = find_object(name);
  if (object == kNone) return no_object(name, scene_);
  Scene changed = scene_;
  changed.objects.erase(changed.objects.begin() + static_cast<std::ptrdiff_t>(object));
  return rebuild(std::move(changed));
}

// MuJoCo's model has a fixed size: a changed scene is loaded anew, and what moved moves on.
Status Simulation::rebuild(Scene scene) {
  auto physics = Physics::load(scene);
  if (!physics) return physics.error();
  // the servos are those fitted at the start
  physics->copy_motion_from(physics_);
  exchange(*std::move(physics), std::move(scene.objects));
  return Done{};
}

// The devices refer to the models, which stay where they are.
void Simulation::exchange(Physics physics, std::vector<SceneObject> objects) {
  physics_ = std::move(physics);
  scene_.objects = std::move(objects);
  wanted_acceleration_.assign(static_cast<std::size_t>(physics_.model().nv), 0.0);
  inertial_force_.assign(wanted_acceleration_.size(), 0.0);
  assist_.forget();
  touch_.bind(scene_, physics_);
}

Status Simulation::reset() {
  Scene first = scene_;
  first.objects = first_objects_;
  auto physics = Physics::load(first);
  if (!physics) return physics.error();
  exchange(*std::move(physics), std::move(first.objects));
  for (std::size_t i = 0; i < devices_.size(); ++i) devices_[i].restart(scene_.robots[i].start);
  return Done{};
}

Status Simulation::move_object(const std::string& name, const Pose& X_WO) {
  const std::size_t object = find_object(name);
  if (object == kNone) return no_object(name, scene_);
  SceneObject moved = scene_.objects[object];
  moved.X_WO = X_WO;
  if (Status checked = check_object(moved); !checked) return checked;
  const std::array<double, 7> pose{X_WO.position.x(), X_WO.position.y(), X_WO.position.z(), X_WO.rotation.w(),
                                   X_WO.rotation.x(), X_WO.rotation.y(), X_WO.rotation.z()};
  physics_.wake_all();
  mjModel& model = physics_.model();
  mjData& data = physics_.data();
  const int joint = physics_.free_joint(name);
  if (joint >= 0) {
    std::ranges::copy(pose, data.qpos + model.jnt_qposadr[joint]);
    std::fill_n(data.qvel + model.jnt_dofadr[joint], 6, 0.0);
  } else {
    const int body = physics_.body(name);
    std::copy_n(pose.data(), 3, model.body_pos + 3 * body);
    std::copy_n(pose.data() + 3, 4, model.body_quat + 4 * body);
  }
  scene_.objects[object] = std::move(moved);
  physics_.refresh();
  return Done{};
}

World Simulation::world() const {
  World world{.stamp_ns = now_ns_, .object_count = static_cast<std::uint32_t>(scene_.objects.size())};
  for (std::size_t i = 0; i < scene_.objects.size(); ++i)
    world.objects[i] = message_of(scene_.objects[i], X_WO(i));
  return world;
}

std::uint64_t Simulation::state_hash() const {
  const mjModel& model = physics_.model();
  const mjData& data = physics_.data();
  std::uint64_t hash = fnv1a({reinterpret_cast<const char*>(&now_ns_), sizeof now_ns_});
  hash = hash_numbers(data.qpos, static_cast<std::size_t>(model.nq), hash);
  hash = hash_numbers(data.qvel, static_cast<std::size_t>(model.nv), hash);
  for (const SimulatedDevice& device : devices_)
    hash = hash_numbers(device.state().position.data(), kMaxJoints, hash);
  return hash;
}

}  // namespace sinew
