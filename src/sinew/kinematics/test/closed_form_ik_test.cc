// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/kinematics/closed_form_ik.h"

#include <gtest/gtest.h>

#include "sinew/kinematics/numerical_ik.h"
#include "sinew/kinematics/sample_arms.h"

namespace sinew {
namespace {

using arms::Row;

/// How far a posture is from the nearest solution, whole turns apart counting as equal.
double distance_to_nearest(const IkSolutions& solutions, const std::vector<double>& q) {
  double nearest = 1e9;
  for (const IkSolution& solution : solutions) {
    double worst = 0.0;
    for (std::size_t i = 0; i < q.size(); ++i) {
      const double off =
          std::remainder(solution.q[static_cast<Eigen::Index>(i)] - q[i], 2 * std::numbers::pi);
      worst = std::max(worst, std::abs(off));
    }
    nearest = std::min(nearest, worst);
  }
  return nearest;
}

/// Every posture must be found again from its pose, and everything found must be true.
void expect_complete(const RobotModel& model, int count, std::uint64_t seed, int allowed_misses = 0) {
  SCOPED_TRACE(model.name);
  const SerialChain chain = arms::chain_of(model);
  const auto ik = ClosedFormIk::find(chain);
  ASSERT_TRUE(ik);
  arms::Random random{seed};
  int misses = 0;
  for (int trial = 0; trial < count; ++trial) {
    const std::vector<double> q = arms::draw_joints(random, chain);
    const std::vector<double> start = arms::draw_joints(random, chain);
    const Pose X_BT = chain.tool_pose(q);
    const IkSolutions solutions = ik->solve(X_BT, start);
    ASSERT_GE(solutions.size(), 1U) << "trial " << trial;
    if (distance_to_nearest(solutions, q) > 1e-4) ++misses;
    double last = 0.0;
    for (const IkSolution& solution : solutions) {
      EXPECT_TRUE(chain.is_within_limits(arms::numbers(solution.q)));
      const PoseDistance off = distance(chain.tool_pose(arms::numbers(solution.q)), X_BT);
      EXPECT_LE(off.position, 1e-6);
      EXPECT_LE(off.rotation, 1e-6);
      const double far = (solution.q - Eigen::Map<const JointVector>(start.data(), solution.q.size())).norm();
      EXPECT_GE(far, last);
      last = far;
    }
  }
  EXPECT_LE(misses, allowed_misses);
}

TEST(ClosedFormIkTest, FindsAllPosturesOfKnownArms) {
  for (const RobotModel& model :
       {arms::kr6(), arms::yarc(), arms::ur5e(), arms::scorbot(), arms::mds(1), arms::mds(-1)}) {
    expect_complete(model, 3000, 21);
  }
}

TEST(ClosedFormIkTest, NamesTheClassItFound) {
  const auto name_of = [](const RobotModel& model) {
    const SerialChain chain = arms::chain_of(model);
    const auto ik = ClosedFormIk::find(chain);
    return ik ? std::string(ik->name()) : "none";
  };
  EXPECT_EQ(name_of(arms::kr6()), "spherical wrist");
  EXPECT_EQ(name_of(arms::ur5e()), "parallel axes");
  EXPECT_EQ(name_of(arms::scorbot()), "five axes");
  EXPECT_EQ(name_of(arms::panda()), "none");
  arms::Random random{1};
  EXPECT_EQ(name_of(arms::ugly(random, 6)), "none");
}

/// A joint somewhere, with an axis of its own.
Row anywhere(arms::Random& random) {
  return {.xyz = arms::draw_direction(random) * arms::draw(random, 0.1, 0.5),
          .axis = arms::draw_direction(random)};
}
/// A joint whose axis goes through the one before it.
Row meeting(arms::Random& random) {
  return {.axis = arms::draw_direction(random)};
}
Row parallel(arms::Random& random, const Row& other) {
  Row row = anywhere(random);
  row.axis = other.axis;
  return row;
}

/// The same arm, held by its tip.
RobotModel mirrored(const std::vector<Row>& rows) {
  std::vector<Row> result;
  for (std::size_t i = rows.size(); i-- > 0;) {
    result.push_back({.xyz = i + 1 < rows.size() ? Vector3(-rows[i + 1].xyz) : Vector3(0.1, 0.2, 0.3),
                      .axis = rows[i].axis});
  }
  return arms::arm_of("mirrored", result, {.position = -rows[0].xyz});
}

void expect_complete_both_ways(const std::string& name, const std::vector<Row>& rows, std::uint64_t seed) {
  expect_complete(arms::arm_of(name, rows, {.position = {0.05, 0.1, 0.02}}), 300, seed);
  expect_complete(mirrored(rows), 300, seed);
}

TEST(ClosedFormIkTest, FindsAllPosturesOfDrawnArmsOfEachClass) {
  arms::Random random{31};
  for (std::uint64_t trial = 0; trial < 5; ++trial) {
    const Row a = anywhere(random);
    const Row b = anywhere(random);
    const Row c = anywhere(random);
    const Row d = anywhere(random);
    const Row e = anywhere(random);
    const Row x = meeting(random);
    const Row y = meeting(random);
    expect_complete_both_ways("wrist, 2 and 3 parallel", {a, b, parallel(random, b), d, x, y}, trial);
    expect_complete_both_ways("wrist, 1 and 2 meet", {a, meeting(random), c, d, x, y}, trial);
    expect_complete_both_ways("wrist, 1 and 2 parallel", {a, parallel(random, a), c, d, x, y}, trial);
    expect_complete_both_ways("wrist, 2 and 3 meet", {a, b, meeting(random), d, x, y}, trial);
    expect_complete_both_ways("2, 3, 4 parallel", {a, b, parallel(random, b), parallel(random, b), e, x},
                              trial);
    expect_complete_both_ways("1, 2, 3 parallel", {a, parallel(random, a), parallel(random, a), d, e, x},
                              trial);
    expect_complete_both_ways("2, 3, 4 parallel, 5 and 6 parallel",
                              {a, b, parallel(random, b), parallel(random, b), e, parallel(random, e)},
                              trial);
    expect_complete_both_ways("1, 2, 3 parallel, 4 and 5 meet",
                              {a, parallel(random, a), parallel(random, a), d, x, e}, trial);
    expect_complete_both_ways("1, 2, 3 parallel, 4 and 5 parallel",
                              {a, parallel(random, a), parallel(random, a), d, parallel(random, d), e},
                              trial);
    expect_complete_both_ways("2, 3, 4 meet, 5 and 6 meet", {a, b, x, y, e, meeting(random)}, trial);
    expect_complete_both_ways("2, 3, 4 meet, 5 and 6 parallel", {a, b, x, y, e, parallel(random, e)}, trial);
    expect_complete(arms::arm_of("five", {a, b, parallel(random, b), parallel(random, b), e}, {}), 300,
                    trial);
  }
}

// files say 1.5708 where they mean a quarter turn; next to a singularity two branches of such an arm may run
// into one
TEST(ClosedFormIkTest, ForgivesRoundedAngles) {
  RobotModel model = arms::ur5e();
  for (Joint& joint : model.joints) {
    joint.X_PJ.rotation = joint.X_PJ.rotation * quaternion_from({.roll = 4e-6, .pitch = -3e-6});
  }
  expect_complete(model, 1000, 41, 5);
}

TEST(ClosedFormIkTest, KeepsTheSeedWhereAnyAngleWillDo) {
  const SerialChain chain = arms::chain_of(arms::yarc());
  const auto ik = ClosedFormIk::find(chain);
  const std::vector<double> zero(6, 0.0);
  const IkSolutions solutions = ik->solve(chain.tool_pose(zero), zero);
  ASSERT_GE(solutions.size(), 1U);
  EXPECT_LT(solutions[0].q.norm(), 1e-6);
}

// a joint without limits comes out within half a turn of the seed, wherever that is
TEST(ClosedFormIkTest, ContinuousJointsStayWithinHalfATurnOfTheSeed) {
  RobotModel model = arms::yarc();
  for (Joint& joint : model.joints) joint.limits = {};
  const SerialChain chain = arms::chain_of(model);
  const auto ik = ClosedFormIk::find(chain);
  arms::Random random{23};
  for (int trial = 0; trial < 500; ++trial) {
    const Pose X_BT = chain.tool_pose(arms::draw_joints(random, chain));
    std::vector<double> seed;
    for (int i = 0; i < 6; ++i) seed.push_back(arms::draw(random, -50.0, 50.0));
    for (const IkSolution& solution : ik->solve(X_BT, seed)) {
      for (std::size_t i = 0; i < 6; ++i) {
        const double q = solution.q[static_cast<Eigen::Index>(i)];
        EXPECT_LE(std::abs(q - seed[i]), std::numbers::pi + 1e-9);
        EXPECT_FALSE(q == 0.0 && std::signbit(q));
      }
    }
  }
}

TEST(ClosedFormIkTest, CountsWhatLimitsForbid) {
  RobotModel model = arms::yarc();
  const std::vector<double> q = {0.3, 0.2, -0.4, 0.5, 0.6, 0.7};
  for (Joint& joint : model.joints) joint.limits = {.lower = -1.0, .upper = 1.0};
  const SerialChain chain = arms::chain_of(model);
  int beyond = 0;
  const IkSolutions solutions = ClosedFormIk::find(chain)->solve(chain.tool_pose(q), q, 1e-6, &beyond);
  EXPECT_EQ(solutions.size(), 1U);
  EXPECT_GE(beyond, 3);
}

TEST(ClosedFormIkTest, AgreesWithTheNumericalSolver) {
  const SerialChain chain = arms::chain_of(arms::kr6());
  const auto closed = ClosedFormIk::find(chain);
  const NumericalIk numerical(chain);
  arms::Random random{51};
  const JointVector middle = chain.middle();
  for (int trial = 0; trial < 500; ++trial) {
    const Pose X_BT = chain.tool_pose(arms::draw_joints(random, chain));
    const NumericalIkResult result = numerical.solve(X_BT, arms::numbers(middle));
    ASSERT_EQ(result.status, IkStatus::Solved);
    const std::vector<double> q(result.q.begin(), result.q.end());
    EXPECT_LT(distance_to_nearest(closed->solve(X_BT, arms::numbers(middle)), q), 1e-4) << "trial " << trial;
  }
}

}  // namespace
}  // namespace sinew
