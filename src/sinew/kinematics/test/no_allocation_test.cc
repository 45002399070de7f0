// SPDX-License-Identifier: BSD-3-Clause
// Kinematics runs in the control cycle: after construction it must not allocate.
#include <gtest/gtest.h>

#include "sinew/base/test/allocation_count.h"
#include "sinew/kinematics/inverse_kinematics.h"
#include "sinew/kinematics/jog.h"
#include "sinew/kinematics/sample_arms.h"

namespace sinew {
namespace {

/// Everything that a cycle may ask, reachable and not.
void use_everything(const SerialChain& chain, const InverseKinematics& ik, const JointVector& q,
                    std::span<Pose> X_BJ) {
  Jacobian jacobian;
  const Pose X_BT = chain.tool_pose(arms::numbers(q), jacobian);
  chain.joint_poses(arms::numbers(q), X_BJ);
  const JointVector middle = chain.middle();
  ik.solve(X_BT, arms::numbers(middle));
  ik.solve(X_BT, arms::numbers(middle), {.task = kPositionAndPointing});
  ik.solve(X_BT, arms::numbers(middle), {.task = kPositionOnly, .posture = arms::numbers(middle)});
  ik.solve({.position = {5.0, 0.0, 0.0}}, arms::numbers(middle), {.accept_nearest_orientation = true});
  jog(chain, arms::numbers(q), {.linear = {0.1, 0.0, 0.0}});
  dexterity(jacobian);
  null_space_projector(jacobian);
}

TEST(NoAllocationTest, KinematicsNeverAllocatesAfterConstruction) {
  for (const RobotModel& model : {arms::kr6(), arms::panda(), arms::iiwa(), arms::scorbot()}) {
    const SerialChain chain = arms::chain_of(model);
    const InverseKinematics ik(chain);
    ChainBatch batch(chain);
    std::vector<Pose> X_BJ(chain.joint_count());
    arms::Random random{71};
    std::vector<JointVector> postures;
    for (int trial = 0; trial < 20; ++trial) {
      const std::vector<double> q = arms::draw_joints(random, chain);
      postures.emplace_back(Eigen::Map<const JointVector>(q.data(), static_cast<Eigen::Index>(q.size())));
    }
    ASSERT_GT(allocation_count, 0U) << "the counter does not count";
    const std::uint64_t before = allocation_count;
    for (const JointVector& q : postures) use_everything(chain, ik, q, X_BJ);
    batch.evaluate();
    EXPECT_EQ(allocation_count, before) << model.name;
  }
}

}  // namespace
}  // namespace sinew
