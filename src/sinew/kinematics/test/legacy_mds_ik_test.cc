// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/kinematics/legacy_mds_ik.h"

#include <gtest/gtest.h>

#include "sinew/kinematics/sample_arms.h"

namespace sinew {
namespace {

const std::vector<double> kLeftHome = {-0.45, 1.2, -0.25, -1.25, 0.0, -0.28};

// `ik left 3 0.3 0.2 0.0` of the paper, its Fig. 25 and Fig. 7
TEST(LegacyMdsIkTest, RepeatsThePapersFortySteps) {
  const SerialChain chain = arms::chain_of(arms::mds(1));
  const std::vector<double> goal = {0.3, 0.2, 0.0};
  const LegacyMdsResult result =
      solve_as_mds_did(chain, goal, kLeftHome, LegacyMdsOptions::for_components(3));
  ASSERT_TRUE(result.is_solved);
  ASSERT_EQ(result.steps, 40);
  EXPECT_NEAR(result.residuals[36], 0.030835283, 5e-10);
  EXPECT_NEAR(result.residuals[37], 0.0207062255, 5e-11);
  EXPECT_NEAR(result.residuals[38], 0.0105746961, 5e-11);
  EXPECT_NEAR(result.residuals[39], 0.00053016931, 5e-12);
  const std::vector<double> expected = {-0.52020, 0.90192, -0.44090, -2.21719, 0.05389, -0.31819};
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_NEAR(result.q[static_cast<Eigen::Index>(i)], expected[i], 5.1e-6);
  const Pose X_BT = chain.tool_pose(arms::numbers(result.q));
  const RollPitchYaw rpy = roll_pitch_yaw(X_BT.rotation);
  EXPECT_LT((X_BT.position - Vector3(0.29986, 0.20049, 0.00014)).cwiseAbs().maxCoeff(), 5.1e-6);
  EXPECT_NEAR(rpy.roll, 1.76142, 5.1e-6);
  EXPECT_NEAR(rpy.pitch, -0.38748, 5.1e-6);
  EXPECT_NEAR(rpy.yaw, -2.6513, 5.1e-5);
}

TEST(LegacyMdsIkTest, GoesRoundTheBoxAsTheOriginalDid) {
  const SerialChain chain = arms::chain_of(arms::mds(1));
  const LegacyMdsOptions options = LegacyMdsOptions::for_components(3);
  const std::vector<std::vector<double>> corners = {{0.3, 0.2, 0.0},    {0.4, 0.45, 0.25},
                                                    {0.4, -0.05, 0.25}, {0.4, -0.05, -0.25},
                                                    {0.4, 0.45, -0.25}, {0.4, 0.45, 0.25}};
  const std::vector<int> steps = {40, 36, 85, 50, 50, 50};
  std::vector<double> q = kLeftHome;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const LegacyMdsResult result = solve_as_mds_did(chain, corners[i], q, options);
    EXPECT_TRUE(result.is_solved);
    EXPECT_EQ(result.steps, steps[i]) << "corner " << i;
    q.assign(result.q.begin(), result.q.end());
  }
}

TEST(LegacyMdsIkTest, GivesUpWithTheLastPostureWithinLimits) {
  const SerialChain chain = arms::chain_of(arms::mds(1));
  const std::vector<double> goal = {3.0, 0.0, 0.0};
  const LegacyMdsResult result = solve_as_mds_did(chain, goal, kLeftHome, {.most_steps = 50});
  EXPECT_FALSE(result.is_solved);
  EXPECT_EQ(result.steps, 50);
  EXPECT_TRUE(chain.is_within_limits(arms::numbers(result.q)));
}

}  // namespace
}  // namespace sinew
