// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/simulation/physics.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include "sinew/model/positions.h"
#include "sinew/simulation/face_contacts.h"

namespace sinew {
namespace {

constexpr const char* kFileName = "scene.xml";
// From so many degrees of freedom on, sparse matrices are quicker, as measured with the shipped worlds;
// MuJoCo's own choice is 60.
constexpr int kSparseFrom = 40;

[[noreturn]] void die_of_physics(const char* message) {
  std::fprintf(stderr, "simulation: MuJoCo cannot go on: %s\n", message);
  std::abort();
}

// MuJoCo counts its warnings in mjData, where we read them; it need not write a file as well.
void ignore_warning(const char* /*message*/) {}

// Its handlers are globals: always set to the same, so that any order will do.
void set_handlers() {
  mju_user_error = die_of_physics;
  mju_user_warning = ignore_warning;
  use_face_contacts();
}

int named(const mjModel& model, mjtObj kind, const std::string& name) {
  return mj_name2id(&model, kind, name.c_str());
}

std::string overlap_remark(const std::vector<BodyPair>& pairs) {
  std::string text =
      fmt::format("{} pairs overlap where the robot starts and are taken never to touch:", pairs.size());
  for (const auto& [a, b] : pairs) text += fmt::format(" {} and {};", a == "world" ? "floor" : a, b);
  return text + " name them in ignored_pairs of robot.yaml, or draw them slimmer";
}

void copy_numbers(const double* from, double* to, int count) {
  std::copy_n(from, count, to);
}

}  // namespace

void Physics::Free::operator()(mjModel_* model) const noexcept {
  mj_deleteModel(model);
}
void Physics::Free::operator()(mjData_* data) const noexcept {
  mj_deleteData(data);
}

Result<Physics> Physics::load(const Scene& scene, const MjcfOptions& options) {
  set_handlers();
  auto physics = load_as_is(scene, options);
  if (!physics) return physics;
  MjcfOptions apart = options;
  for (BodyPair& pair : physics->overlaps_at_start(scene)) apart.excluded.push_back(std::move(pair));
  if (apart.excluded.size() == options.excluded.size()) return physics;
  physics = load_as_is(scene, apart);
  if (physics) physics->remarks_.push_back(overlap_remark(apart.excluded));
  return physics;
}

std::vector<BodyPair> Physics::overlaps_at_start(const Scene& scene) const {
  std::vector<BodyPair> pairs;
  const auto robot_of = [&](const std::string& owner) {
    return std::ranges::find(scene.robots, owner.substr(0, owner.find('/')), &SceneRobot::name);
  };
  for (int i = 0; i < data_->ncon; ++i) {
    std::string a = owner_of_geom(data_->contact[i].geom1);
    std::string b = owner_of_geom(data_->contact[i].geom2);
    if (a != "floor" && b == "floor") std::swap(a, b);
    const auto robot = robot_of(b);
    if (robot == scene.robots.end()) continue;
    const bool is_bolted = a == "floor" && !robot->is_free;
    if (!is_bolted && robot_of(a) != robot) continue;
    BodyPair pair{is_bolted ? "world" : a, b};
    if (std::ranges::find(pairs, pair) == pairs.end()) pairs.push_back(std::move(pair));
  }
  return pairs;
}

Result<Physics> Physics::load_as_is(const Scene& scene, const MjcfOptions& options) {
  auto mjcf = write_mjcf(scene, options);
  if (!mjcf) return mjcf.error();
  Physics physics;
  if (Status compiled = physics.compile(mjcf->text); !compiled) return compiled.error();
  physics.remarks_ = std::move(mjcf->remarks);
  for (const SceneObject& object : scene.objects)
    if (object.kind == ObjectKind::HeightField) physics.fill_height_field(object);
  for (const SceneRobot& robot : scene.robots) {
    physics.find_robot_parts(robot);
    physics.put_at_start(robot, physics.robots_.back());
  }
  physics.find_things(scene);
  physics.refresh();
  physics.fit_servos();
  physics.refresh();
  return physics;
}

Status Physics::compile(const std::string& text) {
  // two megabytes: too much for a stack
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  const int size = static_cast<int>(text.size());
  if (mj_makeEmptyFileVFS(files.get(), kFileName, size) != 0)
    return Error{ErrorCode::Full, fmt::format("a scene of {} bytes is too large for MuJoCo", size)};
  std::memcpy(files->filedata[mj_findFileVFS(files.get(), kFileName)], text.data(), text.size());
  std::array<char, 1000> error{};
  model_.reset(mj_loadXML(kFileName, files.get(), error.data(), static_cast<int>(error.size())));
  mj_deleteVFS(files.get());
  if (!model_)
    return Error{ErrorCode::InvalidInput,
                 fmt::format("MuJoCo does not take the scene: {}; a robot or object of it is odd, "
                             "'sinew model ROBOT' may say which",
                             error.data())};
  model_->opt.jacobian = model_->nv < kSparseFrom ? mjJAC_DENSE : mjJAC_SPARSE;
  near_ = NearGeoms(*model_);
  data_.reset(mj_makeData(model_.get()));
  if (!data_) return Error{ErrorCode::Full, "there is no memory left for the simulation"};
  return Done{};
}

void Physics::find_robot_parts(const SceneRobot& robot) {
  PhysicsRobot parts;
  const std::string prefix = robot.name + "/";
  for (const Link& link : robot.model.links) parts.link_bodies.push_back(body(prefix + link.name));
  if (robot.is_free) parts.base_joint = named(*model_, mjOBJ_JOINT, prefix);
  for (const Joint& joint : robot.model.joints) {
    if (joint.kind == JointKind::Fixed) continue;
    const int id = named(*model_, mjOBJ_JOINT, prefix + joint.name);
    SINEW_ASSERT(id >= 0);
    PhysicsJoint part{.qpos = model_->jnt_qposadr[id], .dof = model_->jnt_dofadr[id]};
    part.position = joint.position;
    if (joint.mimic) {
      part.position = robot.model.joints[joint.mimic->joint].position;
      part.factor = joint.mimic->factor;
      part.offset = joint.mimic->offset;
    } else {
      part.motor = named(*model_, mjOBJ_ACTUATOR, prefix + joint.name);
      part.most_effort = joint.limits.effort > 0.0 ? joint.limits.effort : kUnknownEffort;
    }
    parts.joints.push_back(part);
  }
  robots_.push_back(std::move(parts));
}

void Physics::find_things(const Scene& scene) {
  std::vector<int> bodies;
  for (const SceneObject& object : scene.objects)
    // what is held fast in a hand need not touch it
    if (object.is_free && scene.has_rest && !scene.is_assisted) bodies.push_back(body(object.name));
  resting_ = RestingThings(*model_, bodies);
}

void Physics::put_at_start(const SceneRobot& robot, const PhysicsRobot& parts) {
  const std::vector<double> start = robot.start.empty() ? starting_positions(robot.model) : robot.start;
  for (const PhysicsJoint& joint : parts.joints)
    data_->qpos[joint.qpos] = joint.factor * start[joint.position] + joint.offset;
}

void Physics::fit_servos() {
  std::vector<double> inertia(static_cast<std::size_t>(model_->nv) * static_cast<std::size_t>(model_->nv));
  mj_fullM(model_.get(), inertia.data(), data_->qM);
  for (PhysicsRobot& robot : robots_) {
    for (PhysicsJoint& joint : robot.joints) {
      const auto diagonal = static_cast<std::size_t>(joint.dof) * (static_cast<std::size_t>(model_->nv) + 1);
      joint.gains = servo_gains(inertia[diagonal]);
      if (joint.motor >= 0) model_->dof_damping[joint.dof] += joint.gains.damping;
    }
  }
}

void Physics::fill_height_field(const SceneObject& object) {
  const int id = named(*model_, mjOBJ_HFIELD, object.name);
  SINEW_ASSERT(id >= 0);
  const double highest = model_->hfield_size[4 * id + 2];
  float* heights = model_->hfield_data + model_->hfield_adr[id];
  for (const double height : object.grid.heights) *heights++ = static_cast<float>(height / highest);
}

int Physics::body(const std::string& name) const {
  return named(*model_, mjOBJ_BODY, name);
}

int Physics::free_joint(const std::string& name) const {
  return named(*model_, mjOBJ_JOINT, name);
}

std::string Physics::owner_of_geom(int geom) const {
  const int body = model_->geom_bodyid[geom];
  return body == 0 ? "floor" : mj_id2name(model_.get(), mjOBJ_BODY, body);
}

void Physics::copy_motion_from(const Physics& other) {
  for (int joint = 0; joint < model_->njnt; ++joint) {
    const int old = named(*other.model_, mjOBJ_JOINT, mj_id2name(model_.get(), mjOBJ_JOINT, joint));
    if (old < 0) continue;
    const bool is_free = model_->jnt_type[joint] == mjJNT_FREE;
    copy_numbers(other.data_->qpos + other.model_->jnt_qposadr[old], data_->qpos + model_->jnt_qposadr[joint],
                 is_free ? 7 : 1);
    copy_numbers(other.data_->qvel + other.model_->jnt_dofadr[old], data_->qvel + model_->jnt_dofadr[joint],
                 is_free ? 6 : 1);
    copy_numbers(other.data_->qacc_warmstart + other.model_->jnt_dofadr[old],
                 data_->qacc_warmstart + model_->jnt_dofadr[joint], is_free ? 6 : 1);
  }
  refresh();
}

void Physics::step() {
  resting_.bear(*data_);
  mj_step2(model_.get(), data_.get());
  is_news_of_rest_ |= resting_.settle(*model_, *data_, near_);
}

void Physics::wake_all() {
  resting_.wake_all(*model_, *data_, near_);
  is_news_of_rest_ = true;
}

void Physics::refresh() {
  mj_step1(model_.get(), data_.get());
  if (std::exchange(is_news_of_rest_, false) || near_.is_outdated(*data_)) {
    if (near_.update(*model_, *data_)) mj_step1(model_.get(), data_.get());
  }
  const int approached = near_.find_approached(*model_, *data_);
  if (approached < 0) return;
  resting_.wake(*model_, *data_, model_->geom_bodyid[approached], near_);
  is_news_of_rest_ = true;
  refresh();
}

}  // namespace sinew
