// SPDX-License-Identifier: BSD-3-Clause
// Our inverse dynamics beside MuJoCo's, on every shipped robot.
#include "sinew/kinematics/inverse_dynamics.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include "sinew/base/split_mix.h"
#include "sinew/simulation/simulation.h"
#include "sinew/simulation/test/scenes.h"

namespace sinew {
namespace {

class InverseDynamicsBeside : public testing::TestWithParam<std::string> {};

TEST_P(InverseDynamicsBeside, MuJoCoNeedsTheSameEfforts) {
  Scene scene = scene_with(GetParam());
  scene.has_floor = false;
  auto simulation = Simulation::make(std::move(scene));
  ASSERT_TRUE(simulation) << simulation.error().message;
  const RobotModel& robot = (*simulation)->scene().robots[0].model;
  const PhysicsRobot& parts = (*simulation)->physics().robots()[0];
  mjModel& model = (*simulation)->physics().model();
  mjData& data = (*simulation)->physics().data();
  // what is no part of the rigid bodies
  model.opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_PASSIVE;

  InverseDynamics dynamics(robot);
  SplitMix random(5);
  const std::size_t count = robot.positions.size();
  std::vector<double> q(count);
  std::vector<double> v(count);
  std::vector<double> a(count);
  std::vector<double> ours(count);
  for (int round = 0; round < 50; ++round) {
    for (std::size_t i = 0; i < count; ++i) {
      q[i] = random.between(-2.0, 2.0);
      v[i] = random.between(-2.0, 2.0);
      a[i] = random.between(-5.0, 5.0);
    }
    for (const PhysicsJoint& joint : parts.joints) {
      data.qpos[joint.qpos] = joint.factor * q[joint.position] + joint.offset;
      data.qvel[joint.dof] = joint.factor * v[joint.position];
      data.qacc[joint.dof] = joint.factor * a[joint.position];
    }
    mj_inverse(&model, &data);
    std::vector<double> theirs(count, 0.0);
    for (const PhysicsJoint& joint : parts.joints) {
      const double without_motor =
          data.qfrc_inverse[joint.dof] - model.dof_armature[joint.dof] * data.qacc[joint.dof];
      theirs[joint.position] += joint.factor * without_motor;
    }
    dynamics.compute({.q = q, .v = v, .a = a}, ours);
    double largest = 1.0;
    for (const double effort : theirs) largest = std::max(largest, std::abs(effort));
    // what has no mass weighs 0.1 g there
    for (std::size_t i = 0; i < count; ++i)
      ASSERT_NEAR(ours[i], theirs[i], 2e-3 + 1e-5 * largest) << robot.joints[robot.positions[i]].name;
  }
}

INSTANTIATE_TEST_SUITE_P(Shipped, InverseDynamicsBeside, testing::ValuesIn(robot_names(usual_places())),
                         [](const testing::TestParamInfo<std::string>& param) {
                           std::string name = param.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace sinew
