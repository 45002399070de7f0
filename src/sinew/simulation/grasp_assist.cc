// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/simulation/grasp_assist.h"

#include <algorithm>
#include <cmath>

#include <mujoco/mujoco.h>

namespace sinew {
namespace {

// so far beyond where it is, as a share of its way, a gripper is sent to that opens
constexpr double kOpens = 0.02;

int find_weld(const mjModel& model, const TouchSense::Hold& hold) {
  for (int i = 0; i < model.neq; ++i)
    if (model.eq_type[i] == mjEQ_WELD && model.eq_obj1id[i] == hold.hand && model.eq_obj2id[i] == hold.thing)
      return i;
  return -1;
}

// The thing stays where it is in the hand now.
void fasten(mjModel& model, const mjData& data, int weld) {
  const int hand = model.eq_obj1id[weld];
  const int thing = model.eq_obj2id[weld];
  double* numbers = model.eq_data + static_cast<std::ptrdiff_t>(weld) * mjNEQDATA;
  std::fill_n(numbers, 3, 0.0);
  double back[4];
  mju_negQuat(back, data.xquat + 4 * hand);
  double apart[3];
  mju_sub3(apart, data.xpos + 3 * thing, data.xpos + 3 * hand);
  mju_rotVecQuat(numbers + 3, apart, back);
  mju_mulQuat(numbers + 6, back, data.xquat + 4 * thing);
  numbers[10] = 1.0;
  model.eq_active[weld] = 1;
}

bool is_opening(const Gripper& gripper, const SimulatedDevice& device) {
  return std::ranges::any_of(gripper.joints, [&](const GripperJoint& joint) {
    const double way = joint.open - joint.closed;
    const double behind =
        device.references()[joint.position].position - device.state().position[joint.position];
    return way != 0.0 && behind / way > kOpens;
  });
}

}  // namespace

void GraspAssist::step(const Scene& scene, std::span<const SimulatedDevice> devices, Physics& physics,
                       TouchSense& sense) {
  for (std::size_t robot = 0; robot < scene.robots.size(); ++robot) {
    const std::vector<Gripper>& grippers = scene.robots[robot].model.grippers;
    for (std::size_t g = 0; g < std::min(grippers.size(), kMaxGrippers); ++g) {
      const auto held = std::ranges::find_if(
          held_, [&](const Held& known) { return known.robot == robot && known.gripper == g; });
      if (held != held_.end() && is_opening(grippers[g], devices[robot])) {
        physics.model().eq_active[held->weld] = 0;
        held_.erase(held);
        sense.note_assisted(robot, g, false);
      } else if (held == held_.end() && !is_opening(grippers[g], devices[robot])) {
        const int weld = find_weld(physics.model(), sense.hold(robot, g));
        if (weld < 0) continue;
        fasten(physics.model(), physics.data(), weld);
        held_.push_back({.robot = robot, .gripper = g, .weld = weld});
        sense.note_assisted(robot, g, true);
      }
    }
  }
}

}  // namespace sinew
