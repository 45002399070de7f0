// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/kinematics/jog.h"

#include <limits>

#include <gtest/gtest.h>

#include "sinew/kinematics/sample_arms.h"

namespace sinew {
namespace {

TEST(JogTest, MovesTheToolAsWishedAwayFromLimitsAndSingularities) {
  const SerialChain chain = arms::chain_of(arms::panda());
  const std::vector<double> q = {0.1, 0.2, 0.3, -1.5, 0.4, 1.6, 0.5};
  const Twist V_BT{.linear = {0.1, -0.05, 0.02}, .angular = {0.1, 0.2, -0.3}};
  const JogResult result = jog(chain, q, V_BT);
  EXPECT_FALSE(result.is_near_singularity);
  EXPECT_FALSE(result.is_near_limit);
  Jacobian jacobian;
  chain.tool_pose(q, jacobian);
  Eigen::Matrix<double, 6, 1> wish;
  wish << V_BT.linear, V_BT.angular;
  EXPECT_LT((jacobian * result.velocity - wish).norm(), 1e-12);
}

TEST(JogTest, KeepsTheDirectionWithinVelocityLimits) {
  RobotModel model = arms::panda();
  for (Joint& joint : model.joints) joint.limits.velocity = 0.1;
  const SerialChain chain = arms::chain_of(model);
  const std::vector<double> q = {0.1, 0.2, 0.3, -1.5, 0.4, 1.6, 0.5};
  const JogResult result = jog(chain, q, {.linear = {1.0, 0.0, 0.0}});
  EXPECT_LT(result.scale, 1.0);
  EXPECT_NEAR(result.velocity.cwiseAbs().maxCoeff(), 0.1, 1e-12);
  Jacobian jacobian;
  chain.tool_pose(q, jacobian);
  const Eigen::Matrix<double, 6, 1> moved = jacobian * result.velocity;
  EXPECT_NEAR(moved[0], result.scale, 1e-12);
  EXPECT_LT(moved.tail<5>().norm(), 1e-12);
}

// straight through the wrist singularity: no jump from one millisecond to the next, and no speed without
// bound
TEST(JogTest, IsSmoothThroughASingularity) {
  const SerialChain chain = arms::chain_of(arms::yarc());
  std::vector<double> q = {0.2, -0.3, 0.4, 0.6, -0.25, 0.0};
  JointVector last = jog(chain, q, {.angular = {0.3, 0.1, 0.2}}).velocity;
  bool was_near = false;
  for (int cycle = 0; cycle < 500; ++cycle) {
    q[4] = -0.25 + 0.001 * cycle;
    const JogResult result = jog(chain, q, {.angular = {0.3, 0.1, 0.2}});
    was_near = was_near || result.is_near_singularity;
    EXPECT_LT(result.velocity.norm(), 20.0);
    EXPECT_LT((result.velocity - last).norm(), 0.3) << "cycle " << cycle;
    last = result.velocity;
  }
  EXPECT_TRUE(was_near);
}

// whatever is wished and for however long, no joint leaves its range
TEST(JogTest, NeverDrivesAJointBeyondItsLimit) {
  arms::Random random{71};
  for (const RobotModel& model : {arms::panda(), arms::kr6(), arms::scorbot()}) {
    const SerialChain chain = arms::chain_of(model);
    for (int trial = 0; trial < 50; ++trial) {
      std::vector<double> q = arms::draw_joints(random, chain);
      const Twist V_BT{.linear = 0.5 * arms::draw_direction(random), .angular = arms::draw_direction(random)};
      for (int cycle = 0; cycle < 1000; ++cycle) {
        const JogResult result = jog(chain, q, V_BT);
        for (std::size_t i = 0; i < q.size(); ++i)
          q[i] += 0.002 * result.velocity[static_cast<Eigen::Index>(i)];
        ASSERT_TRUE(chain.is_within_limits(q)) << model.name << " cycle " << cycle;
      }
    }
  }
}

TEST(JogTest, StandsStillOnWhatIsNotANumber) {
  const SerialChain chain = arms::chain_of(arms::kr6());
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(jog(chain, arms::numbers(chain.middle()), {.linear = {kNan, 0, 0}}).velocity,
            JointVector::Zero(6));
  const std::vector<double> q = {0, kNan, 0, 0, 0, 0};
  EXPECT_EQ(jog(chain, q, {.linear = {0.1, 0, 0}}).velocity, JointVector::Zero(6));
}

}  // namespace
}  // namespace sinew
