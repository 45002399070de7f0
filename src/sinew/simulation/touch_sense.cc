// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/simulation/touch_sense.h"

#include <algorithm>
#include <array>
#include <utility>

#include <mujoco/mujoco.h>

#include "sinew/base/fixed_string.h"

namespace sinew {
namespace {

// what is apart for less still touches: a thing that comes to rest bounces
constexpr std::int64_t kApart_ns = 20 * kMillisecond_ns;
constexpr double kLeastForce = 0.2;  // [N] of a finger that holds
constexpr double kOpposite = -0.7;   // cosine between what two fingers do to a thing
constexpr std::int64_t kBetween_ns = 50 * kMillisecond_ns;

std::string name_of(const Physics& physics, int body) {
  return body == 0 ? "floor" : mj_id2name(&physics.model(), mjOBJ_BODY, body);
}

}  // namespace

void TouchSense::bind(const Scene& scene, const Physics& physics) {
  fingers_.clear();
  grasps_.resize(scene.robots.size());
  has_news_.assign(scene.robots.size(), 0);
  is_free_.assign(static_cast<std::size_t>(physics.model().nbody), 0);
  for (const SceneObject& object : scene.objects)
    if (object.is_free) is_free_[static_cast<std::size_t>(physics.body(object.name))] = 1;
  for (std::size_t r = 0; r < scene.robots.size(); ++r) {
    const RobotModel& model = scene.robots[r].model;
    const std::vector<int>& bodies = physics.robots()[r].link_bodies;
    const std::size_t count = std::min(model.grippers.size(), kMaxGrippers);
    grasps_[r].gripper_count = static_cast<std::uint32_t>(count);
    for (std::size_t g = 0; g < count; ++g) {
      set_text(grasps_[r].grippers[g].gripper, model.grippers[g].name);
      for (const Joint& joint : model.joints) {
        const std::size_t own = joint.mimic ? model.joints[joint.mimic->joint].position : joint.position;
        for (const GripperJoint& moved : model.grippers[g].joints)
          if (joint.kind != JointKind::Fixed && own == moved.position)
            fingers_.push_back({.robot = r,
                                .gripper = g,
                                .body = bodies[joint.child_link],
                                .hand = bodies[joint.parent_link]});
      }
    }
  }
  // bodies have other numbers in another model
  pairs_.clear();
  events_.clear();
}

void TouchSense::look(const Physics& physics, std::int64_t now_ns) {
  events_.clear();
  for (Finger& finger : fingers_) {
    finger.thing = -1;
    finger.force.setZero();
  }
  const mjData& data = physics.data();
  for (int i = 0; i < data.ncon; ++i) {
    const mjContact& contact = data.contact[i];
    if (contact.dist > 0.0) continue;
    note_pair(physics, physics.model().geom_bodyid[contact.geom1], physics.model().geom_bodyid[contact.geom2],
              now_ns);
    press(physics, i);
  }
  drop_pairs(physics, now_ns);
  for (std::size_t robot = 0; robot < grasps_.size(); ++robot) judge(physics, robot, now_ns);
}

void TouchSense::note_pair(const Physics& physics, int body_a, int body_b, std::int64_t now_ns) {
  const Pair pair{.a = std::min(body_a, body_b), .b = std::max(body_a, body_b), .seen_ns = now_ns};
  const auto known = std::ranges::find(pairs_, pair);
  if (known != pairs_.end()) {
    known->seen_ns = now_ns;
    return;
  }
  pairs_.push_back(pair);
  tell(physics, pair, true, now_ns);
}

void TouchSense::drop_pairs(const Physics& physics, std::int64_t now_ns) {
  for (std::size_t i = 0; i < pairs_.size();) {
    // what rests touches what it lies on, and nobody looks
    if (physics.resting().is_resting(pairs_[i].a) || physics.resting().is_resting(pairs_[i].b))
      pairs_[i].seen_ns = now_ns;
    if (now_ns - pairs_[i].seen_ns < kApart_ns) {
      ++i;
      continue;
    }
    const Pair gone = pairs_[i];
    pairs_.erase(pairs_.begin() + static_cast<std::ptrdiff_t>(i));
    tell(physics, gone, false, now_ns);
  }
}

void TouchSense::tell(const Physics& physics, const Pair& pair, bool is_touching, std::int64_t now_ns) {
  ContactEvent& event = events_.emplace_back();
  event.stamp_ns = now_ns;
  event.is_touching = is_touching ? 1 : 0;
  event.pair_count = static_cast<std::uint32_t>(pairs_.size());
  set_text(event.a, name_of(physics, pair.a));
  set_text(event.b, name_of(physics, pair.b));
}

// Adds what a contact does to the thing that a finger touches.
void TouchSense::press(const Physics& physics, int contact) {
  const mjModel& model = physics.model();
  const mjContact& at = physics.data().contact[contact];
  const int first = model.geom_bodyid[at.geom1];
  const int second = model.geom_bodyid[at.geom2];
  for (Finger& finger : fingers_) {
    if (finger.body != first && finger.body != second) continue;
    const int thing = finger.body == first ? second : first;
    if (is_free_[static_cast<std::size_t>(thing)] == 0) continue;
    std::array<double, 6> force{};
    mj_contactForce(&model, &physics.data(), contact, force.data());
    // the normal points from the first to the second
    const Vector3 on_second = force[0] * Vector3::Map(at.frame);
    if (finger.thing < 0) finger.thing = thing;
    if (finger.thing == thing) finger.force += finger.body == first ? on_second : Vector3(-on_second);
  }
}

GripperGrasp TouchSense::judge_gripper(const Physics& physics, std::size_t robot, std::size_t gripper) const {
  GripperGrasp grasp = grasps_[robot].grippers[gripper];
  grasp.phase = GraspPhase::Free;
  grasp.force = 0.0;
  int touched = -1;
  for (const Finger& a : fingers_) {
    if (a.robot != robot || a.gripper != gripper || a.thing < 0) continue;
    if (touched < 0) touched = a.thing;
    grasp.phase = std::max(grasp.phase, GraspPhase::Touching);
    for (const Finger& b : fingers_) {
      const bool is_pair = &a < &b && b.robot == robot && b.gripper == gripper && b.thing == a.thing;
      const double force = std::min(a.force.norm(), b.force.norm());
      if (!is_pair || force < kLeastForce || force <= grasp.force) continue;
      if (a.force.dot(b.force) > kOpposite * a.force.norm() * b.force.norm()) continue;
      grasp.phase = GraspPhase::Holding;
      grasp.force = force;
      touched = a.thing;
    }
  }
  set_text(grasp.object, touched < 0 ? "" : name_of(physics, touched));
  return grasp;
}

void TouchSense::judge(const Physics& physics, std::size_t robot, std::int64_t now_ns) {
  GraspState& state = grasps_[robot];
  bool is_news = now_ns - state.stamp_ns >= kBetween_ns;
  for (std::size_t g = 0; g < state.gripper_count; ++g) {
    const GripperGrasp grasp = judge_gripper(physics, robot, g);
    is_news = is_news || grasp.phase != state.grippers[g].phase || grasp.object != state.grippers[g].object;
    state.grippers[g] = grasp;
  }
  has_news_[robot] = is_news ? 1 : 0;
  if (is_news) state.stamp_ns = now_ns;
}

TouchSense::Hold TouchSense::hold(std::size_t robot, std::size_t gripper) const {
  if (grasps_[robot].grippers[gripper].phase != GraspPhase::Holding) return {};
  for (const Finger& finger : fingers_)
    if (finger.robot == robot && finger.gripper == gripper && finger.thing >= 0)
      return {.hand = finger.hand, .thing = finger.thing};
  return {};
}

void TouchSense::note_assisted(std::size_t robot, std::size_t gripper, bool is_assisted) {
  GraspState& state = grasps_[robot];
  state.grippers[gripper].is_assisted = is_assisted ? 1 : 0;
  state.assisted_grasps += is_assisted ? 1 : 0;
}

}  // namespace sinew
