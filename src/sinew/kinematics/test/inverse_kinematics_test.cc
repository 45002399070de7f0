// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/kinematics/inverse_kinematics.h"

#include <gtest/gtest.h>

#include "sinew/kinematics/sample_arms.h"

namespace sinew {
namespace {

TEST(InverseKinematicsTest, ChoosesTheMethodAndReturnsToWhereItCameFrom) {
  arms::Random random{61};
  for (const auto& [model, method] :
       {std::pair{arms::kr6(), IkMethod::ClosedForm}, std::pair{arms::scorbot(), IkMethod::ClosedForm},
        std::pair{arms::panda(), IkMethod::Numerical}}) {
    const SerialChain chain = arms::chain_of(model);
    const InverseKinematics ik(chain);
    EXPECT_EQ(ik.description() == "numerical", method == IkMethod::Numerical) << ik.description();
    for (int trial = 0; trial < 300; ++trial) {
      const Pose X_BT = chain.tool_pose(arms::draw_joints(random, chain));
      const IkResult result = ik.solve(X_BT, arms::numbers(chain.middle()));
      ASSERT_EQ(result.status, IkStatus::Solved) << model.name;
      EXPECT_EQ(result.method, method);
      EXPECT_EQ(result.nearest, result.solutions[0].q);
      for (const IkSolution& solution : result.solutions) {
        EXPECT_LT(distance(chain.tool_pose(arms::numbers(solution.q)), X_BT).position, 1e-6);
        EXPECT_LT(distance(chain.tool_pose(arms::numbers(solution.q)), X_BT).rotation, 1e-6);
      }
    }
  }
}

TEST(InverseKinematicsTest, ReadsComponentsInAnyOrder) {
  const auto task = pose_task_from_text("t_x p_z, p_y  p_x");
  ASSERT_TRUE(task);
  EXPECT_EQ(task->position, (std::array{true, true, true}));
  EXPECT_EQ(task->rotation, (std::array{true, false, false}));
  EXPECT_EQ(pose_task_from_text("p_x p_w").error().message,
            "no pose component 'p_w': there are p_x, p_y, p_z (position) and t_x, t_y, t_z (rotation)");
  EXPECT_EQ(pose_task_from_text(" ").error().message,
            "no pose component given: name at least one of p_x p_y p_z t_x t_y t_z");
}

TEST(InverseKinematicsTest, SolvesTheComponentsAskedFor) {
  const SerialChain chain = arms::chain_of(arms::mds(1));
  const InverseKinematics ik(chain);
  const std::vector<double> home = {-0.45, 1.2, -0.25, -1.25, 0.0, -0.28};
  const IkResult result =
      ik.solve({.position = {0.3, 0.2, 0.0}}, home, {.task = *pose_task_from_text("p_x p_y p_z")});
  ASSERT_EQ(result.status, IkStatus::Solved);
  EXPECT_LT((chain.tool_pose(arms::numbers(result.nearest)).position - Vector3(0.3, 0.2, 0.0)).norm(), 1e-6);
}

// a five-joint arm cannot turn its tool sideways: it comes as near as it can, exactly in place
TEST(InverseKinematicsTest, FiveJointsTakeTheNearestOrientation) {
  const SerialChain chain = arms::chain_of(arms::scorbot());
  const InverseKinematics ik(chain);
  const std::vector<double> q = {0.4, 0.5, 0.6, 0.7, 0.8};
  const Pose reachable = chain.tool_pose(q);
  // sideways about the vertical, which only the base turns
  const Pose wanted{.rotation = quaternion_from({.yaw = 0.2}) * reachable.rotation,
                    .position = reachable.position};
  const IkResult refused = ik.solve(wanted, q);
  EXPECT_NE(refused.status, IkStatus::Solved);
  const IkResult result = ik.solve(wanted, q, {.accept_nearest_orientation = true});
  ASSERT_EQ(result.status, IkStatus::Solved);
  const PoseDistance off = distance(chain.tool_pose(arms::numbers(result.nearest)), wanted);
  EXPECT_LT(off.position, 1e-6);
  EXPECT_NEAR(off.rotation, result.rotation_error, 1e-9);
  EXPECT_LE(off.rotation, 0.2 + 1e-9);
  EXPECT_GT(off.rotation, 0.01);
  // nothing near it is better
  arms::Random random{62};
  const NumericalIk numerical(chain);
  for (int trial = 0; trial < 50; ++trial) {
    JointVector other = result.nearest;
    for (double& angle : other) angle += arms::draw(random, -0.1, 0.1);
    const NumericalIkResult there = numerical.refine(wanted, arms::numbers(other), kPositionOnly);
    if (there.status != IkStatus::Solved) continue;
    EXPECT_GE(distance(chain.tool_pose(arms::numbers(there.q)), wanted).rotation, off.rotation - 1e-6);
  }
}

// the home pose of MDS-Ach with the digits that its paper prints
TEST(InverseKinematicsTest, WhatMissesByLessThanWasPrintedCountsAsReached) {
  const SerialChain chain = arms::chain_of(arms::mds(1));
  const InverseKinematics ik(chain);
  const std::vector<double> home = {-0.45, 1.2, -0.25, -1.25, 0.0, -0.28};
  const Pose printed{.rotation = quaternion_from({1.39899, -0.38662, -1.40029}),
                     .position = {0.41113, 0.58077, -0.07098}};
  const IkResult result = ik.solve(printed, home, {.accepted = kPoseTolerance});
  ASSERT_EQ(result.status, IkStatus::Solved);
  const PoseDistance off = distance(chain.tool_pose(arms::numbers(result.nearest)), printed);
  EXPECT_NEAR(off.position, result.position_error, 1e-9) << "the residual is told";
  EXPECT_NEAR(off.rotation, result.rotation_error, 1e-9);
  EXPECT_LT(off.position, 1e-5);
  EXPECT_EQ(result.solutions.size(), 1U);
  EXPECT_TRUE(chain.is_within_limits(arms::numbers(result.nearest)));
}

// five joints: a generic pose is off by something in its rotation
TEST(InverseKinematicsTest, FiveJointsReachWhatIsWithinTheTolerance) {
  const SerialChain chain = arms::chain_of(arms::scorbot());
  const InverseKinematics ik(chain);
  arms::Random random{64};
  constexpr double kDegree = 3.14159265358979323846 / 180.0;
  for (int trial = 0; trial < 100; ++trial) {
    const std::vector<double> q = arms::draw_joints(random, chain);
    const Pose reachable = chain.tool_pose(q);
    const auto turned = [&](double yaw) {
      return Pose{.rotation = quaternion_from({.yaw = yaw}) * reachable.rotation,
                  .position = reachable.position};
    };
    const IkResult exact = ik.solve(reachable, q, {.accepted = kPoseTolerance});
    ASSERT_EQ(exact.status, IkStatus::Solved);
    EXPECT_LT(exact.position_error + exact.rotation_error, 2e-6) << "what is exact is found exactly";
    const IkResult near = ik.solve(turned(0.011 * kDegree), q, {.accepted = kPoseTolerance});
    ASSERT_EQ(near.status, IkStatus::Solved) << "trial " << trial;
    EXPECT_LE(near.rotation_error, 0.0111 * kDegree);
    EXPECT_LE(near.position_error, kPoseTolerance.position);
    const PoseDistance off = distance(chain.tool_pose(arms::numbers(near.nearest)), turned(0.011 * kDegree));
    EXPECT_NEAR(off.rotation, near.rotation_error, 1e-9);
    EXPECT_TRUE(chain.is_within_limits(arms::numbers(near.nearest)));
  }
  // far off is refused, and so is whatever is not exact where it must be
  const std::vector<double> q = {0.4, 0.5, 0.6, 0.7, 0.8};
  const Pose reachable = chain.tool_pose(q);
  const Pose wanted{.rotation = quaternion_from({.yaw = 0.011 * kDegree}) * reachable.rotation,
                    .position = reachable.position};
  EXPECT_NE(ik.solve(wanted, q).status, IkStatus::Solved);
  const Pose far{.rotation = quaternion_from({.yaw = kDegree}) * reachable.rotation,
                 .position = reachable.position};
  EXPECT_NE(ik.solve(far, q, {.accepted = kPoseTolerance}).status, IkStatus::Solved);
}

/// Numerically and in closed form.
class PostureTest : public testing::TestWithParam<RobotModel (*)()> {};

TEST_P(PostureTest, SevenJointsApproachThePostureAskedFor) {
  const SerialChain chain = arms::chain_of(GetParam()());
  const InverseKinematics ik(chain);
  arms::Random random{63};
  int nearer = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const std::vector<double> q = arms::draw_joints(random, chain);
    const Pose X_BT = chain.tool_pose(q);
    const JointVector middle = chain.middle();
    const IkResult plain = ik.solve(X_BT, q);
    const IkResult posed = ik.solve(X_BT, q, {.posture = arms::numbers(middle)});
    ASSERT_EQ(posed.status, IkStatus::Solved);
    EXPECT_LT(distance(chain.tool_pose(arms::numbers(posed.nearest)), X_BT).position, 1e-6);
    EXPECT_TRUE(chain.is_within_limits(arms::numbers(posed.nearest)));
    EXPECT_LE((posed.nearest - middle).norm(), (plain.nearest - middle).norm() + 1e-9);
    if ((posed.nearest - middle).norm() < (plain.nearest - middle).norm() - 0.01) ++nearer;
  }
  EXPECT_GT(nearer, 80);
}
INSTANTIATE_TEST_SUITE_P(OfArms, PostureTest, testing::Values(arms::panda, arms::iiwa));

TEST(InverseKinematicsTest, RefusesWrongCountsAndWhatIsNotANumber) {
  const SerialChain chain = arms::chain_of(arms::kr6());
  const InverseKinematics ik(chain);
  const std::vector<double> seed(6, 0.1);
  const std::vector<double> few(5, 0.1);
  const std::vector<double> broken(6, std::nan(""));
  const Pose X_BT = chain.tool_pose(seed);
  EXPECT_EQ(ik.solve(X_BT, few).status, IkStatus::InvalidInput);
  EXPECT_EQ(ik.solve(X_BT, broken).status, IkStatus::InvalidInput);
  EXPECT_EQ(ik.solve(X_BT, seed, {.posture = few}).status, IkStatus::InvalidInput);
  EXPECT_EQ(ik.solve(X_BT, seed, {.posture = broken}).status, IkStatus::InvalidInput);
  EXPECT_EQ(ik.solve({.position = {std::nan(""), 0, 0}}, seed).status, IkStatus::InvalidInput);
  EXPECT_TRUE(ik.solve(X_BT, broken).nearest.allFinite());
}

// a little beyond the stretched arm, in closed form and by search
TEST(InverseKinematicsTest, IsSingularWhereTheArmCannotMoveOn) {
  for (const RobotModel& model : {arms::iiwa(), arms::mds(1)}) {
    const SerialChain chain = arms::chain_of(model);
    const InverseKinematics ik(chain);
    std::vector<double> q = {0.4, 0.6, -0.3, 0.0, 0.5, 0.3, 0.2};
    q.resize(chain.size());
    const Pose X_BT = chain.tool_pose(q);
    // away from the shoulder, the point that the stretched arm turns about
    std::vector<Pose> X_BJ(chain.joint_count());
    chain.joint_poses(q, X_BJ);
    const Vector3 outwards = (X_BJ[5].position - X_BJ[1].position).normalized();
    const Pose near{.rotation = X_BT.rotation, .position = X_BT.position + 3e-4 * outwards};
    const IkResult result = ik.solve(near, arms::numbers(chain.middle()));
    EXPECT_EQ(result.status, IkStatus::Singular) << model.name;
    EXPECT_LT(result.position_error, 3.1e-4);
    EXPECT_TRUE(chain.is_within_limits(arms::numbers(result.nearest)));
    EXPECT_EQ(explain(result, model, chain).substr(0, 9), "singular:");
    // farther it is out of reach, on it there is an answer
    const Pose far{.rotation = X_BT.rotation, .position = X_BT.position + 3e-2 * outwards};
    EXPECT_EQ(ik.solve(far, arms::numbers(chain.middle())).status, IkStatus::OutOfReach) << model.name;
    EXPECT_EQ(ik.solve(X_BT, arms::numbers(chain.middle())).status, IkStatus::Solved) << model.name;
  }
}

// five joints lack a direction everywhere: that is no singularity
TEST(InverseKinematicsTest, IsNotSingularWhereAnArmNeverCouldMove) {
  const SerialChain chain = arms::chain_of(arms::scorbot());
  const std::vector<double> q = {0.4, 0.5, 0.6, 0.7, 0.8};
  const Pose X_BT = chain.tool_pose(q);
  const Pose sideways{.rotation = quaternion_from({.yaw = 3e-4}) * X_BT.rotation, .position = X_BT.position};
  const IkResult result = InverseKinematics(chain).solve(sideways, q);
  EXPECT_EQ(result.status, IkStatus::OutOfReach);
  EXPECT_LT(result.rotation_error, 3.1e-4);
}

TEST(InverseKinematicsTest, ExplainsForPeople) {
  RobotModel model = arms::kr6();
  const SerialChain chain = arms::chain_of(model);
  const InverseKinematics ik(chain);
  const JointVector middle = chain.middle();
  const IkResult far = ik.solve({.position = {5.0, 0.0, 0.4}}, arms::numbers(middle));
  EXPECT_EQ(far.status, IkStatus::OutOfReach);
  EXPECT_EQ(explain(far, model, chain).substr(0, 44), "out of reach: the nearest posture misses by ");
  model.joints[0].limits = {.lower = -0.1, .upper = 0.1};
  const SerialChain narrow = arms::chain_of(model);
  const IkResult beyond = InverseKinematics(narrow).solve(
      chain.tool_pose(std::vector<double>{0.3, -0.9, 1.0, 0.2, 0.7, 0.1}), arms::numbers(narrow.middle()));
  EXPECT_EQ(explain(beyond, model, narrow),
            "joint 'joint1' would have to go beyond its limits, -5.7 deg to 5.7 deg");
}

}  // namespace
}  // namespace sinew
