// SPDX-License-Identifier: BSD-3-Clause
// Arms of seven joints with a spherical shoulder and a spherical wrist, solved over the arm angle.
#include <gtest/gtest.h>

#include "sinew/kinematics/closed_form_ik.h"
#include "sinew/kinematics/inverse_kinematics.h"
#include "sinew/kinematics/sample_arms.h"

namespace sinew {
namespace {

using arms::Row;

/// Three joints through one point, an elbow somewhere, three joints through another; every axis anywhere.
RobotModel drawn_arm(arms::Random& random) {
  std::vector<Row> rows;
  for (int i = 0; i < 7; ++i) {
    const double reach = arms::draw(random, 100.0, 175.0) * arms::kDegree;
    const double middle = arms::draw(random, -0.5, 0.5);
    const bool is_apart = i == 0 || i == 3 || i == 4;
    rows.push_back({.xyz = is_apart ? Vector3(arms::draw_direction(random) * arms::draw(random, 0.2, 0.5))
                                    : Vector3(Vector3::Zero()),
                    .axis = arms::draw_direction(random),
                    .lower = middle - reach,
                    .upper = middle + reach});
  }
  return arms::arm_of("drawn", rows, {.position = {0.05, 0.1, 0.02}});
}

/// An elbow that lies off the line from shoulder to wrist, as far on either side of it.
RobotModel offset_elbow() {
  RobotModel model = arms::iiwa();
  model.name = "offset elbow";
  model.joints[3].X_PJ.position.x() += 0.06;
  model.joints[4].X_PJ.position.x() -= 0.06;
  return model;
}

double farthest_joint(const JointVector& a, const JointVector& b) {
  return (a - b).cwiseAbs().maxCoeff();
}

/// Every pose made within limits is reached in closed form, from seeds that have nothing to do with it.
void expect_all_solved(const RobotModel& model, int count, std::uint64_t seed) {
  SCOPED_TRACE(model.name);
  const SerialChain chain = arms::chain_of(model);
  const auto ik = ClosedFormIk::find(chain);
  ASSERT_TRUE(ik);
  EXPECT_EQ(ik->name(), "arm angle");
  arms::Random random{seed};
  for (int trial = 0; trial < count; ++trial) {
    const Pose X_BT = chain.tool_pose(arms::draw_joints(random, chain));
    const std::vector<double> start = arms::draw_joints(random, chain);
    const IkSolutions solutions = ik->solve(X_BT, start);
    ASSERT_GE(solutions.size(), 1U) << "trial " << trial;
    double last = 0.0;
    for (const IkSolution& solution : solutions) {
      ASSERT_TRUE(chain.is_within_limits(arms::numbers(solution.q))) << "trial " << trial;
      const PoseDistance off = distance(chain.tool_pose(arms::numbers(solution.q)), X_BT);
      ASSERT_LE(off.position, 1e-9) << "trial " << trial;
      ASSERT_LE(off.rotation, 1e-9) << "trial " << trial;
      const double far = (solution.q - Eigen::Map<const JointVector>(start.data(), 7)).norm();
      EXPECT_GE(far, last);
      last = far;
    }
  }
}

TEST(ArmAngleTest, SolvesEveryReachablePose) {
  expect_all_solved(arms::iiwa(), 2000, 81);
  expect_all_solved(offset_elbow(), 2000, 82);
  arms::Random random{83};
  for (std::uint64_t trial = 0; trial < 4; ++trial) expect_all_solved(drawn_arm(random), 2000, trial);
}

// only narrow intervals of the arm angle keep such limits, and none is passed over
TEST(ArmAngleTest, FindsNarrowIntervals) {
  RobotModel model = arms::iiwa();
  arms::Random random{84};
  for (int trial = 0; trial < 3; ++trial) {
    for (Joint& joint : model.joints) {
      if (joint.kind == JointKind::Fixed) continue;
      const double middle = arms::draw(random, -1.5, 1.5);
      joint.limits = {.lower = middle - 0.15, .upper = middle + 0.15};
    }
    expect_all_solved(model, 1000, 84);
  }
}

/// The solution nearest to a posture.
double nearest_to(const IkSolutions& solutions, const JointVector& q) {
  double nearest = 1e9;
  for (const IkSolution& solution : solutions) nearest = std::min(nearest, farthest_joint(solution.q, q));
  return nearest;
}

JointVector vector_of(const std::vector<double>& q) {
  return Eigen::Map<const JointVector>(q.data(), static_cast<Eigen::Index>(q.size()));
}

TEST(ArmAngleTest, GivesAllEightBranchesAtAnArmAngleAndTurnsBack) {
  RobotModel model = arms::iiwa();
  for (Joint& joint : model.joints) joint.limits = {.lower = -3.2, .upper = 3.2};
  const SerialChain chain = arms::chain_of(model);
  const auto ik = ClosedFormIk::find(chain);
  arms::Random random{85};
  for (int trial = 0; trial < 500; ++trial) {
    const std::vector<double> q = arms::draw_joints(random, chain);
    const Pose X_BT = chain.tool_pose(q);
    const IkSolutions here = ik->solve_turned(X_BT, q, 0.0);
    EXPECT_EQ(here.size(), 8U) << "trial " << trial;
    EXPECT_LT(farthest_joint(here[0].q, vector_of(q)), 1e-6);
    // turned, and from there turned back
    const double turn = arms::draw(random, -3.0, 3.0);
    const IkSolutions there = ik->solve_turned(X_BT, q, turn);
    ASSERT_EQ(there.size(), 8U);
    double nearest = 1e9;
    for (const IkSolution& one : there) {
      nearest =
          std::min(nearest, nearest_to(ik->solve_turned(X_BT, arms::numbers(one.q), -turn), vector_of(q)));
    }
    EXPECT_LT(nearest, 1e-6) << "trial " << trial;
  }
}

// wherever the seed is, moving it a little moves the answer a little; only where two answers are equally far
// from it may the other one take over
TEST(ArmAngleTest, FollowsTheSeedWithoutJumps) {
  arms::Random random{86};
  for (const RobotModel& model : {arms::iiwa(), offset_elbow()}) {
    const SerialChain chain = arms::chain_of(model);
    const auto ik = ClosedFormIk::find(chain);
    int jumps = 0;
    for (int trial = 0; trial < 2000; ++trial) {
      const std::vector<double> q = arms::draw_joints(random, chain);
      const Pose X_BT = chain.tool_pose(q);
      std::vector<double> seed = q;
      for (double& angle : seed) angle += arms::draw(random, -0.3, 0.3);
      const IkSolutions before = ik->solve(X_BT, seed);
      for (double& angle : seed) angle += arms::draw(random, -1e-7, 1e-7);
      const IkSolutions after = ik->solve(X_BT, seed);
      ASSERT_FALSE(before.empty() || after.empty());
      if (farthest_joint(before[0].q, after[0].q) < 1e-4) continue;
      ++jumps;
      const double far_before = (before[0].q - vector_of(seed)).norm();
      const double far_after = (after[0].q - vector_of(seed)).norm();
      EXPECT_NEAR(far_before, far_after, 1e-4) << "trial " << trial;
    }
    EXPECT_LE(jumps, 2) << model.name;
  }
}

// a posture that already reaches the target is its own answer, also at the ends of its ranges
TEST(ArmAngleTest, StaysWhereItIs) {
  const SerialChain chain = arms::chain_of(arms::iiwa());
  const auto ik = ClosedFormIk::find(chain);
  arms::Random random{87};
  for (int trial = 0; trial < 1000; ++trial) {
    std::vector<double> q = arms::draw_joints(random, chain);
    const std::size_t joint = random() % 7;
    q[joint] = random() % 2 == 0 ? chain.limits(joint).lower : chain.limits(joint).upper;
    const IkSolutions solutions = ik->solve(chain.tool_pose(q), q);
    ASSERT_FALSE(solutions.empty()) << "trial " << trial;
    EXPECT_LT(farthest_joint(solutions[0].q, vector_of(q)), 1e-6) << "trial " << trial << " joint " << joint;
  }
}

TEST(ArmAngleTest, IsFoundOnlyWhereAxesMeet) {
  const auto has_form = [](const RobotModel& model) {
    return ClosedFormIk::find(arms::chain_of(model)).has_value();
  };
  EXPECT_TRUE(has_form(arms::iiwa()));
  EXPECT_FALSE(has_form(arms::panda()));
  RobotModel wide = arms::iiwa();
  wide.joints[1].X_PJ.position.x() += 0.01;
  EXPECT_FALSE(has_form(wide)) << "the shoulder's axes miss each other by a centimetre";
  // an elbow whose axis goes through the wrist changes no distance
  RobotModel stiff = arms::iiwa();
  for (const std::size_t joint : {4U, 5U}) stiff.joints[joint].X_PJ.position.setZero();
  EXPECT_FALSE(has_form(stiff));
}

TEST(ArmAngleTest, IsWhatInverseKinematicsUsesAndFallsBackFrom) {
  const SerialChain chain = arms::chain_of(arms::iiwa());
  const InverseKinematics ik(chain);
  EXPECT_EQ(ik.description(), "closed form: arm angle");
  arms::Random random{88};
  const std::vector<double> q = arms::draw_joints(random, chain);
  const std::vector<double> far(7, 1e9);
  const Pose X_BT = chain.tool_pose(q);
  EXPECT_EQ(ik.solve(X_BT, q).method, IkMethod::ClosedForm);
  const IkResult from_far = ik.solve(X_BT, far);
  ASSERT_EQ(from_far.status, IkStatus::Solved);
  EXPECT_LT(distance(chain.tool_pose(arms::numbers(from_far.nearest)), X_BT).position, 1e-6);
  EXPECT_EQ(ik.solve(X_BT, q, {.task = kPositionOnly}).method, IkMethod::Numerical);
  const IkResult beyond = ik.solve({.position = {2.0, 0.0, 0.0}}, q);
  EXPECT_EQ(beyond.status, IkStatus::OutOfReach);
  EXPECT_EQ(beyond.method, IkMethod::Numerical);
  EXPECT_TRUE(beyond.nearest.allFinite());
}

// the zero posture is stretched out, shoulder and wrist singular at once
TEST(ArmAngleTest, SolvesSingularPostures) {
  const SerialChain chain = arms::chain_of(arms::iiwa());
  const InverseKinematics ik(chain);
  arms::Random random{89};
  for (int trial = 0; trial < 500; ++trial) {
    std::vector<double> q = arms::draw_joints(random, chain);
    for (const std::size_t joint : {1U, 3U, 5U}) {
      if (random() % 2 == 0) q[joint] = 0.0;
    }
    const Pose X_BT = chain.tool_pose(q);
    const IkResult result = ik.solve(X_BT, arms::draw_joints(random, chain));
    ASSERT_EQ(result.status, IkStatus::Solved) << "trial " << trial;
    for (const IkSolution& solution : result.solutions) {
      ASSERT_TRUE(chain.is_within_limits(arms::numbers(solution.q)));
      EXPECT_LT(distance(chain.tool_pose(arms::numbers(solution.q)), X_BT).position, 1e-6);
      EXPECT_LT(distance(chain.tool_pose(arms::numbers(solution.q)), X_BT).rotation, 1e-6);
    }
  }
}

// files say 1.5708 where they mean a quarter turn
TEST(ArmAngleTest, ForgivesRoundedAngles) {
  RobotModel model = arms::iiwa();
  for (Joint& joint : model.joints) {
    joint.X_PJ.rotation = joint.X_PJ.rotation * quaternion_from({.roll = 4e-6, .pitch = -3e-6});
  }
  const SerialChain chain = arms::chain_of(model);
  const InverseKinematics ik(chain);
  EXPECT_EQ(ik.description(), "closed form: arm angle");
  arms::Random random{90};
  int closed = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    const Pose X_BT = chain.tool_pose(arms::draw_joints(random, chain));
    const IkResult result = ik.solve(X_BT, arms::draw_joints(random, chain));
    ASSERT_EQ(result.status, IkStatus::Solved) << "trial " << trial;
    if (result.method == IkMethod::ClosedForm) ++closed;
    ASSERT_TRUE(chain.is_within_limits(arms::numbers(result.nearest)));
    EXPECT_LT(distance(chain.tool_pose(arms::numbers(result.nearest)), X_BT).position, 1e-6);
  }
  EXPECT_GE(closed, 990);
}

}  // namespace
}  // namespace sinew
