// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/kinematics/numerical_ik.h"

#include <limits>

#include <gtest/gtest.h>

#include "sinew/kinematics/sample_arms.h"

namespace sinew {
namespace {

/// Solves `count` poses made by joints within limits, from the middle of all ranges; the number not solved.
int count_unsolved(const RobotModel& model, int count, std::uint64_t seed) {
  const SerialChain chain = arms::chain_of(model);
  const NumericalIk ik(chain);
  arms::Random random{seed};
  const JointVector middle = chain.middle();
  int unsolved = 0;
  for (int trial = 0; trial < count; ++trial) {
    const Pose X_BT = chain.tool_pose(arms::draw_joints(random, chain));
    const NumericalIkResult result = ik.solve(X_BT, arms::numbers(middle));
    EXPECT_TRUE(chain.is_within_limits(arms::numbers(result.q)));
    const PoseDistance off = distance(chain.tool_pose(arms::numbers(result.q)), X_BT);
    const bool is_there = off.position <= 1e-6 && off.rotation <= 1e-6;
    EXPECT_EQ(result.status == IkStatus::Solved, is_there) << "trial " << trial;
    if (!is_there) ++unsolved;
  }
  return unsolved;
}

TEST(NumericalIkTest, SolvesEveryReachablePoseOfKnownArms) {
  for (const RobotModel& model : {arms::ur5e(), arms::kr6(), arms::panda(), arms::iiwa(), arms::scorbot(),
                                  arms::yarc(), arms::mds(1), arms::mds(-1)}) {
    EXPECT_EQ(count_unsolved(model, 10000, 11), 0) << model.name;
  }
}

TEST(NumericalIkTest, SolvesEveryReachablePoseOfUglyArms) {
  arms::Random random{5};
  for (int trial = 0; trial < 12; ++trial) {
    EXPECT_LE(count_unsolved(arms::ugly(random, 6), 10000, 12), 1) << "arm " << trial;
  }
  for (const int joints : {5, 7, 8, 10}) EXPECT_LE(count_unsolved(arms::ugly(random, joints), 2000, 13), 0);
}

TEST(NumericalIkTest, SolvesPartsOfPoses) {
  arms::Random random{6};
  for (const RobotModel& model : {arms::ur5e(), arms::panda(), arms::scorbot()}) {
    const SerialChain chain = arms::chain_of(model);
    const NumericalIk ik(chain);
    const JointVector middle = chain.middle();
    for (int trial = 0; trial < 300; ++trial) {
      const Pose X_BT = chain.tool_pose(arms::draw_joints(random, chain));
      const NumericalIkResult there = ik.solve(X_BT, arms::numbers(middle), kPositionOnly);
      ASSERT_EQ(there.status, IkStatus::Solved);
      EXPECT_LT((chain.tool_pose(arms::numbers(there.q)).position - X_BT.position).norm(), 1e-6);

      const NumericalIkResult pointing = ik.solve(X_BT, arms::numbers(middle), kPositionAndPointing);
      ASSERT_EQ(pointing.status, IkStatus::Solved);
      const Pose X_BP = chain.tool_pose(arms::numbers(pointing.q));
      EXPECT_LT((X_BP.position - X_BT.position).norm(), 1e-6);
      EXPECT_LT((X_BP.rotation * Vector3::UnitZ() - X_BT.rotation * Vector3::UnitZ()).norm(), 1e-6);

      // height and tilt alone, in axes of the tool
      const PoseTask some{
          .position = {false, false, true}, .rotation = {true, false, false}, .axes = TaskAxes::Tool};
      const NumericalIkResult partly = ik.solve(X_BT, arms::numbers(middle), some);
      ASSERT_EQ(partly.status, IkStatus::Solved);
      const Pose X_TP = inverse(X_BT) * chain.tool_pose(arms::numbers(partly.q));
      EXPECT_NEAR(X_TP.position.z(), 0.0, 1e-6);
      EXPECT_NEAR(rotation_vector(X_TP.rotation).x(), 0.0, 1e-5);
    }
  }
}

TEST(NumericalIkTest, SaysHowFarOutOfReachAPoseIs) {
  const SerialChain chain = arms::chain_of(arms::scorbot());
  const NumericalIk ik(chain);
  const JointVector middle = chain.middle();
  const Pose far{.position = {2.0, 0.0, 0.344}};
  const NumericalIkResult result = ik.solve(far, arms::numbers(middle));
  EXPECT_EQ(result.status, IkStatus::OutOfReach);
  EXPECT_NEAR(result.position_error, 2.0 - (0.016 + 0.221 + 0.221 + 0.143), 1e-3);
  EXPECT_TRUE(chain.is_within_limits(arms::numbers(result.q)));
}

TEST(NumericalIkTest, NamesTheJointThatALimitStops) {
  RobotModel model = arms::kr6();
  const SerialChain whole = arms::chain_of(model);
  const std::vector<double> q = {0.3, -0.9, 1.0, 0.2, 0.7, 0.1};
  const Pose X_BT = whole.tool_pose(q);
  model.joints[0].limits = {.lower = -0.1, .upper = 0.1};
  const SerialChain narrow = arms::chain_of(model);
  const NumericalIk ik(narrow);
  const NumericalIkResult result = ik.solve(X_BT, arms::numbers(narrow.middle()));
  EXPECT_EQ(result.status, IkStatus::JointLimit);
  EXPECT_EQ(result.limit_joint, 0U);
  EXPECT_TRUE(narrow.is_within_limits(arms::numbers(result.q)));
}

// what a short search has not found may yet be there
TEST(NumericalIkTest, SaysWhenTheRoundsWereTooFew) {
  RobotModel model = arms::kr6();
  const Pose X_BT = arms::chain_of(model).tool_pose(std::vector<double>{0.3, -0.9, 1.0, 0.2, 0.7, 0.1});
  model.joints[0].limits = {.lower = -0.1, .upper = 0.1};
  const SerialChain narrow = arms::chain_of(model);
  const NumericalIk ik(narrow);
  const JointVector middle = narrow.middle();
  const NumericalIkResult result = ik.solve(X_BT, arms::numbers(middle), {}, {.most_rounds = 1});
  EXPECT_EQ(result.status, IkStatus::NotConverged);
  EXPECT_TRUE(narrow.is_within_limits(arms::numbers(result.q)));
  EXPECT_EQ(ik.solve(X_BT, arms::numbers(middle)).status, IkStatus::JointLimit);
}

TEST(NumericalIkTest, RefusesWhatIsNotANumberAndNeverReturnsIt) {
  const SerialChain chain = arms::chain_of(arms::panda());
  const NumericalIk ik(chain);
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  JointVector seed = chain.middle();
  EXPECT_EQ(ik.solve({.position = {kNan, 0, 0}}, arms::numbers(seed)).status, IkStatus::InvalidInput);
  EXPECT_EQ(ik.solve({.rotation = Quaternion(2, 0, 0, 0)}, arms::numbers(seed)).status,
            IkStatus::InvalidInput);
  EXPECT_EQ(ik.solve({}, {}).status, IkStatus::InvalidInput);
  seed[3] = kNan;
  const NumericalIkResult result = ik.solve({}, arms::numbers(seed));
  EXPECT_EQ(result.status, IkStatus::InvalidInput);
  EXPECT_TRUE(result.q.allFinite());
  for (const double far : {1e3, 1e9, 1e300}) {
    EXPECT_TRUE(ik.solve({.position = {far, far, -far}}, arms::numbers(chain.middle())).q.allFinite()) << far;
  }
}

TEST(NumericalIkTest, GivesTheSameAnswerTwiceAndStaysNearANearSeed) {
  const SerialChain chain = arms::chain_of(arms::panda());
  const NumericalIk ik(chain);
  arms::Random random{8};
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> q = arms::draw_joints(random, chain);
    const Pose X_BT = chain.tool_pose(q);
    for (std::size_t i = 0; i < q.size(); ++i) {
      q[i] = std::clamp(q[i] + arms::draw(random, -1e-3, 1e-3), chain.limits(i).lower, chain.limits(i).upper);
    }
    const NumericalIkResult result = ik.solve(X_BT, q);
    EXPECT_EQ(result.q, ik.solve(X_BT, q).q);
    for (std::size_t i = 0; i < q.size(); ++i) EXPECT_NEAR(result.q[static_cast<Eigen::Index>(i)], q[i], 0.2);
  }
}

}  // namespace
}  // namespace sinew
