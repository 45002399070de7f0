// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/torque_stretch.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/model/load_robot.h"
#include "sinew/motion/move_planner.h"

namespace sinew {
namespace {

class TorqueStretchTest : public testing::Test {
 protected:
  static RobotModel arm_with(double effort_of_second) {
    RobotModel model = load_robot("yarc-industrial")->model;
    model.joints[model.positions[1]].limits.effort = effort_of_second;
    return model;
  }

  static MovePlan plan(const RobotModel& model, const MoveJoints& to, const std::vector<double>& from) {
    auto planner = MovePlanner::make(model, {.with_measures = false});
    EXPECT_TRUE(planner) << planner.error().message;
    return (*planner)->plan(std::vector{Move{.kind = MoveKind::Joint, .goals = {to}}}, from);
  }

  // the most that a joint needs of its effort, anywhere along it
  static double share_needed(const RobotModel& model, const Trajectory& trajectory, std::size_t joint) {
    InverseDynamics dynamics(model);
    std::vector<double> q(6);
    std::vector<double> v(6);
    std::vector<double> a(6);
    std::vector<double> effort(6);
    double most = 0.0;
    for (double t = 0.0; t <= trajectory.length(); t += 1e-3) {
      for (std::size_t j = 0; j < 6; ++j) {
        const CurvePoint point = trajectory.at(j, t);
        q[j] = point.value;
        v[j] = point.first;
        a[j] = point.second;
      }
      dynamics.compute({.q = q, .v = v, .a = a}, effort);
      most = std::max(most, std::abs(effort[joint]) / model.joints[model.positions[joint]].limits.effort);
    }
    return most;
  }

  const std::vector<double> from_{0.0, -1.4, 0.2, 0.0, 0.0, 0.0};
  const MoveJoints to_{0.3, 0.9, 0.0, 0.5, -0.5, 0.3};
};

TEST_F(TorqueStretchTest, APlannedMotionKeepsWithinTheTorqueOfItsMotors) {
  // 1362 N·m hold it
  const RobotModel strong = arm_with(4200.0);
  const RobotModel weak = arm_with(1700.0);
  const MovePlan fast = plan(strong, to_, from_);
  const MovePlan slow = plan(weak, to_, from_);
  ASSERT_TRUE(fast) << fast.refusal->words;
  ASSERT_TRUE(slow) << slow.refusal->words;
  // as fast as limits allow, it would take more than the weak motor has
  ASSERT_GT(share_needed(weak, fast.planned.trajectory, 1), 1.0);
  EXPECT_LE(share_needed(weak, slow.planned.trajectory, 1), 1.0);
  // and no slower than that asks for
  EXPECT_GT(share_needed(weak, slow.planned.trajectory, 1), 0.9);
  EXPECT_GT(slow.planned.trajectory.length(), 1.05 * fast.planned.trajectory.length());
}

TEST_F(TorqueStretchTest, WhatHasTorqueToSpareOrIsNotKnownIsLeftAsItIs) {
  RobotModel unknown = arm_with(1700.0);
  const RobotModel strong = arm_with(1e5);
  unknown.links[3].inertia.reset();
  const MovePlan fast = plan(strong, to_, from_);
  const std::vector<std::size_t> planned{0, 1, 2, 3, 4, 5};
  EXPECT_EQ(TorqueStretch(strong).factor_for(fast.planned.trajectory, planned, from_), 1.0);
  EXPECT_EQ(TorqueStretch(unknown).factor_for(fast.planned.trajectory, planned, from_), 1.0);
  const RobotModel weak = arm_with(1700.0);
  EXPECT_GT(TorqueStretch(weak).factor_for(fast.planned.trajectory, planned, from_), 1.0);
}

}  // namespace
}  // namespace sinew
