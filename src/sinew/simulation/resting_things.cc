// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/simulation/resting_things.h"

#include <algorithm>
#include <cmath>

#include <mujoco/mujoco.h>

#include "sinew/model/robot_model.h"

namespace sinew {
namespace {

constexpr double kCalmTime = 0.3;     // [s]
constexpr double kStillSpeed = 1e-4;  // [m/s]
constexpr double kStillTurn = 3e-3;   // [rad/s]

bool is_still(const double* velocity) {
  const auto below = [](const double* v, double bound) {
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2] < bound * bound;
  };
  return below(velocity, kStillSpeed) && below(velocity + 3, kStillTurn);
}

void rest_geoms(const mjModel& model, int body, bool rests, NearGeoms& near) {
  for (int i = 0; i < model.body_geomnum[body]; ++i) near.set_resting(model.body_geomadr[body] + i, rests);
}

}  // namespace

RestingThings::RestingThings(const mjModel_& model, std::span<const int> bodies)
    : thing_of_(static_cast<std::size_t>(model.nbody), kNone),
      heap_of_(static_cast<std::size_t>(model.nbody)),
      is_calm_(static_cast<std::size_t>(model.nbody)),
      most_calm_steps_(static_cast<int>(std::lround(kCalmTime / model.opt.timestep))) {
  for (const int body : bodies) {
    const int joint = model.body_jntadr[body];
    thing_of_[static_cast<std::size_t>(body)] = things_.size();
    things_.push_back({.body = body, .qpos = model.jnt_qposadr[joint], .dof = model.jnt_dofadr[joint]});
  }
}

void RestingThings::bear(mjData_& data) const {
  for (const Thing& thing : things_)
    if (is_resting(thing.body)) std::copy_n(data.qfrc_bias + thing.dof, 6, data.qfrc_applied + thing.dof);
}

bool RestingThings::settle(const mjModel_& model, mjData_& data, NearGeoms& near) {
  for (const Thing& thing : things_) {
    if (!is_resting(thing.body)) continue;
    std::copy_n(thing.place, 7, data.qpos + thing.qpos);
    std::fill_n(data.qvel + thing.dof, 6, 0.0);
  }
  note_calm(data);
  if (!find_heaps(model, data, near)) return false;
  lay_down(model, data, near);
  return true;
}

void RestingThings::note_calm(const mjData_& data) {
  for (Thing& thing : things_) {
    if (is_resting(thing.body)) continue;
    thing.calm_steps = is_still(data.qvel + thing.dof) ? thing.calm_steps + 1 : 0;
  }
}

std::size_t RestingThings::root_of(std::size_t thing) {
  while (things_[thing].mate != thing) thing = things_[thing].mate;
  return thing;
}

// Whether some heap may rest now: then is_kept_up of its root is false.
bool RestingThings::find_heaps(const mjModel_& model, const mjData_& data, const NearGeoms& near) {
  bool is_due = false;
  for (std::size_t i = 0; i < things_.size(); ++i) {
    Thing& thing = things_[i];
    thing.mate = i;
    thing.is_kept_up = is_resting(thing.body) || thing.calm_steps < most_calm_steps_;
    is_calm_[static_cast<std::size_t>(thing.body)] = thing.is_kept_up ? 0 : 1;
    is_due |= !thing.is_kept_up;
  }
  if (!is_due) return false;
  for (int i = 0; i < data.ncon; ++i)
    join(model, model.geom_bodyid[data.contact[i].geom1], model.geom_bodyid[data.contact[i].geom2]);
  for (std::size_t i = 0; i < things_.size(); ++i) {
    Thing& thing = things_[i];
    for (int k = 0; k < model.body_geomnum[thing.body] && !thing.is_kept_up; ++k)
      thing.is_kept_up = near.is_approached(model, data, model.body_geomadr[thing.body] + k, is_calm_);
    if (thing.is_kept_up) things_[root_of(i)].is_kept_up = true;
  }
  for (std::size_t i = 0; i < things_.size(); ++i)
    if (!things_[root_of(i)].is_kept_up) return true;
  return false;
}

// Two bodies touch. What a robot touches it may push, or let go.
void RestingThings::join(const mjModel_& model, int body_a, int body_b) {
  const std::size_t a = thing_of_[static_cast<std::size_t>(body_a)];
  const std::size_t b = thing_of_[static_cast<std::size_t>(body_b)];
  if (a != kNone && b != kNone)
    things_[root_of(a)].mate = root_of(b);
  else if (a != kNone && model.body_weldid[body_b] != 0)
    things_[a].is_kept_up = true;
  else if (b != kNone && model.body_weldid[body_a] != 0)
    things_[b].is_kept_up = true;
}

void RestingThings::lay_down(const mjModel_& model, mjData_& data, NearGeoms& near) {
  for (std::size_t i = 0; i < things_.size(); ++i) {
    Thing& thing = things_[i];
    const std::size_t root = root_of(i);
    if (things_[root].is_kept_up) continue;
    heap_of_[static_cast<std::size_t>(thing.body)] = static_cast<int>(root) + 1;
    std::copy_n(data.qpos + thing.qpos, 7, thing.place);
    std::fill_n(data.qvel + thing.dof, 6, 0.0);
    std::fill_n(data.qacc_warmstart + thing.dof, 6, 0.0);
    rest_geoms(model, thing.body, true, near);
  }
  for (int i = 0; i < data.ncon; ++i) {
    const mjContact& contact = data.contact[i];
    const int heap = std::max(heap_of_[static_cast<std::size_t>(model.geom_bodyid[contact.geom1])],
                              heap_of_[static_cast<std::size_t>(model.geom_bodyid[contact.geom2])]);
    if (heap == 0 || contact.dist > 0.0) continue;
    touches_.push_back({.geom_a = contact.geom1,
                        .geom_b = contact.geom2,
                        .depth = -contact.dist,
                        .point = Vector3(contact.pos[0], contact.pos[1], contact.pos[2]),
                        .heap = heap});
  }
}

void RestingThings::wake(const mjModel_& model, mjData_& data, int body, NearGeoms& near) {
  const int heap = heap_of_[static_cast<std::size_t>(body)];
  if (heap == 0) return;
  for (Thing& thing : things_) {
    int& own = heap_of_[static_cast<std::size_t>(thing.body)];
    if (own != heap) continue;
    own = 0;
    thing.calm_steps = 0;
    std::fill_n(data.qfrc_applied + thing.dof, 6, 0.0);
    rest_geoms(model, thing.body, false, near);
  }
  std::erase_if(touches_, [&](const RestingTouch& touch) { return touch.heap == heap; });
}

void RestingThings::wake_all(const mjModel_& model, mjData_& data, NearGeoms& near) {
  for (const Thing& thing : things_) wake(model, data, thing.body, near);
}

}  // namespace sinew
