// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/planning/tool_path.h"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/kinematics/sample_arms.h"

namespace sinew {
namespace {

using arms::chain_of;
using arms::draw;
using arms::draw_direction;
using arms::draw_joints;
using arms::Random;

/// An arm with all that following its tool needs.
struct Arm {
  explicit Arm(RobotModel robot)
      : model(std::move(robot)), chain(chain_of(model)), ik(chain), follower(chain, ik) {}

  RobotModel model;
  SerialChain chain;
  InverseKinematics ik;
  ToolPathFollower follower;
};

/// A line of 0.2 to 0.4 m from a pose within reach, and a turn of up to half a radian along it.
ToolPath draw_line(Random& random, const SerialChain& chain) {
  const Pose from = chain.tool_pose(draw_joints(random, chain));
  Pose to = from;
  to.position += draw(random, 0.2, 0.4) * draw_direction(random);
  to.rotation =
      from.rotation * quaternion_from_rotation_vector(draw(random, 0.0, 0.5) * draw_direction(random));
  return straight_tool_path(from, to);
}

/// Whether each of 21 poses along the path can be reached, each by itself.
bool is_reachable_point_by_point(const Arm& arm, const ToolPath& path) {
  for (int k = 0; k <= 20; ++k) {
    const IkResult found = arm.ik.solve(path.X_BT(k / 20.0), numbers(arm.chain.middle()));
    if (found.status != IkStatus::Solved) return false;
  }
  return true;
}

/// Joints at `share` of the way from a to b, by the cubic that points and tangents define.
JointVector between(const FollowedPoint& a, const FollowedPoint& b, double share) {
  const double t = share;
  const double du = b.u - a.u;
  return (1 + 2 * t) * (1 - t) * (1 - t) * a.q + t * t * (3 - 2 * t) * b.q +
         du * (t * (1 - t) * (1 - t) * a.dq_du - t * t * (1 - t) * b.dq_du);
}

/// How far a point is from the straight line between two others [m].
double distance_from_line(const Vector3& p, const Vector3& a, const Vector3& b) {
  const Vector3 along = (b - a).normalized();
  const Vector3 off = p - a;
  return (off - off.dot(along) * along).norm();
}

void expect_true_to_path(const Arm& arm, const ToolPath& path, const Followed& followed) {
  const Vector3 begin = path.X_BT(0.0).position;
  const Vector3 end = path.X_BT(1.0).position;
  EXPECT_LT(distance(arm.chain.tool_pose(numbers(followed.points.front().q)), path.X_BT(0.0)).position, 1e-9);
  EXPECT_LT(distance(arm.chain.tool_pose(numbers(followed.points.back().q)), path.X_BT(1.0)).position, 1e-9);
  for (std::size_t i = 1; i < followed.points.size(); ++i) {
    const FollowedPoint& a = followed.points[i - 1];
    const FollowedPoint& b = followed.points[i];
    ASSERT_GT(b.u, a.u);
    ASSERT_GT(b.s, a.s);
    ASSERT_LE((b.q - a.q).cwiseAbs().maxCoeff(), 0.25 + 1e-9) << "a jump";
    for (const double share : {0.2, 0.5, 0.8, 1.0}) {
      const JointVector q = between(a, b, share);
      ASSERT_TRUE(arm.chain.is_within_limits(numbers(q), 1e-3));
      ASSERT_LT(distance_from_line(arm.chain.tool_pose(numbers(q)).position, begin, end), 1e-5);
    }
    ASSERT_TRUE(arm.chain.is_within_limits(numbers(b.q), 1e-9));
  }
}

/// What became of lines that are reachable point by point.
struct LineCount {
  int done = 0;         ///< And true to the path.
  int infeasible = 0;   ///< Shown to be so from every posture.
  int unexplained = 0;  ///< Neither.
};

LineCount count_lines(const Arm& arm, int count, std::uint64_t seed) {
  Random random(seed);
  LineCount lines;
  for (int line = 0; line < count;) {
    const ToolPath path = draw_line(random, arm.chain);
    if (!is_reachable_point_by_point(arm, path)) continue;
    ++line;
    const Followed followed = arm.follower.follow_from_anywhere(path, numbers(arm.chain.middle()));
    const bool is_done = followed.status == FollowStatus::Done;
    // with a joint to spare a look at all postures takes long
    const bool is_looked_into = !is_done || arm.chain.size() <= 6 || line % 20 == 0;
    const bool is_infeasible = is_looked_into && arm.follower.is_shown_infeasible(path);
    if (is_done) {
      expect_true_to_path(arm, path, followed);
      EXPECT_FALSE(is_infeasible) << "line " << line << " was done";
      ++lines.done;
    } else {
      ++(is_infeasible ? lines.infeasible : lines.unexplained);
    }
  }
  return lines;
}

TEST(ToolPathTest, LinesAreDoneOrShownToBeInfeasibleFromEveryPosture) {
  const auto expect_explained = [](const char* name, RobotModel model, std::uint64_t seed, int least_done) {
    const LineCount lines = count_lines(Arm(std::move(model)), 300, seed);
    EXPECT_EQ(lines.unexplained, 0) << name;
    EXPECT_GE(lines.done, least_done) << name;
  };
  expect_explained("ur5e", arms::ur5e(), 1, 290);
  expect_explained("kr6", arms::kr6(), 2, 280);
  expect_explained("yarc", arms::yarc(), 3, 275);
}

TEST(ToolPathTest, SpareJointsKeepAwayFromTheirLimits) {
  const LineCount panda = count_lines(Arm(arms::panda()), 60, 4);
  EXPECT_GE(panda.done, 57);
  EXPECT_EQ(panda.unexplained, 0);
  const LineCount iiwa = count_lines(Arm(arms::iiwa()), 60, 5);
  EXPECT_GE(iiwa.done, 59);
  EXPECT_EQ(iiwa.unexplained, 0);
}

TEST(ToolPathTest, WhatItRefusesIsRefusedFromEveryBranch) {
  const Arm arm(arms::kr6());
  Random random(6);
  int refused = 0;
  while (refused < 10) {
    const ToolPath path = draw_line(random, arm.chain);
    const Followed followed = arm.follower.follow_from_anywhere(path, numbers(arm.chain.middle()));
    if (followed.status == FollowStatus::Done) continue;
    ++refused;
    // an independent look: small steps, the posture nearest to the last one, from each of the starts
    const IkResult starts = arm.ik.solve(path.X_BT(0.0), numbers(arm.chain.middle()));
    for (const IkSolution& start : starts.solutions) {
      JointVector q = start.q;
      bool is_unbroken = true;
      for (int k = 1; k <= 2000 && is_unbroken; ++k) {
        const IkResult next = arm.ik.solve(path.X_BT(k / 2000.0), numbers(q));
        is_unbroken =
            next.status == IkStatus::Solved && (next.solutions[0].q - q).cwiseAbs().maxCoeff() < 0.1;
        if (is_unbroken) q = next.solutions[0].q;
      }
      EXPECT_FALSE(is_unbroken) << explain(followed, path, arm.model, arm.chain);
    }
  }
}

TEST(ToolPathTest, GoesThroughTheWristSingularity) {
  const Arm arm(arms::yarc());
  // the wrist stretched at the middle of the line: joint 5 passes zero
  const std::vector<double> middle{0.0, 0.4, 0.3, 0.0, 0.0, 0.0};
  const Pose X_BT = arm.chain.tool_pose(middle);
  Pose from = X_BT;
  Pose to = X_BT;
  from.position.z() -= 0.15;
  to.position.z() += 0.15;
  const ToolPath path = straight_tool_path(from, to);
  const Followed followed = arm.follower.follow_from_anywhere(path, middle);
  ASSERT_EQ(followed.status, FollowStatus::Done) << explain(followed, path, arm.model, arm.chain);
  expect_true_to_path(arm, path, followed);
}

TEST(ToolPathTest, SaysWhichJointEndsWhereAndWhatWouldDo) {
  const Arm arm(arms::kr6());
  Random random(8);
  int limits = 0;
  int remedies = 0;
  while (limits < 20) {
    const ToolPath path = draw_line(random, arm.chain);
    if (!is_reachable_point_by_point(arm, path)) continue;
    const IkResult starts = arm.ik.solve(path.X_BT(0.0), numbers(arm.chain.middle()));
    const JointVector& start = starts.solutions[starts.solutions.size() - 1].q;
    const Followed followed = arm.follower.follow(path, numbers(start));
    if (followed.status != FollowStatus::JointLimit) continue;
    ++limits;
    const std::string text = explain(followed, path, arm.model, arm.chain);
    EXPECT_NE(text.find("comes to its limit of"), std::string::npos) << text;
    EXPECT_NE(text.find("joint '" + arm.model.joints[arm.chain.joint(followed.limit_joint)].name + "'"),
              std::string::npos);
    const PathAdvice advice = advise(arm.follower, path, numbers(start));
    if (advice.remedy != PathRemedy::AnotherPosture) continue;
    ++remedies;
    EXPECT_EQ(arm.follower.follow(path, numbers(advice.start)).status, FollowStatus::Done);
  }
  EXPECT_GT(remedies, 5);
}

TEST(ToolPathTest, BeginsOnlyWhereTheToolIs) {
  const Arm arm(arms::ur5e());
  const std::vector<double> q{0.1, -1.0, 1.2, -0.4, 0.7, 0.2};
  const Pose X_BT = arm.chain.tool_pose(q);
  Pose to = X_BT;
  to.position.x() += 0.1;
  EXPECT_EQ(arm.follower.follow(straight_tool_path(X_BT, to), q).status, FollowStatus::Done);
  EXPECT_EQ(arm.follower.follow(straight_tool_path(to, X_BT), q).status, FollowStatus::NotAtStart);
  EXPECT_EQ(arm.follower.follow(straight_tool_path(X_BT, to), std::vector<double>{0.0}).status,
            FollowStatus::InvalidInput);
  std::vector<double> bad = q;
  bad[2] = std::nan("");
  EXPECT_EQ(arm.follower.follow(straight_tool_path(X_BT, to), bad).status, FollowStatus::InvalidInput);
}

// An arm of five joints that can keep the orientation does; where it cannot, it stays nearer to it than an
// arm that does not mind.
TEST(ToolPathTest, KeepsNearTheOrientationWithTooFewJoints) {
  const Arm arm(arms::scorbot());
  Random random(11);
  FollowOptions loose{.task = kPositionOnly};
  FollowOptions near = loose;
  near.keeps_near_orientation = true;
  const auto lost_at_end = [&](const ToolPath& path, const Followed& followed) {
    return distance(arm.chain.tool_pose(numbers(followed.points.back().q)), path.X_BT(1.0)).rotation;
  };
  int in_plane = 0;
  int across = 0;
  while (in_plane < 50 || across < 50) {
    const std::vector<double> q = draw_joints(random, arm.chain);
    const Pose X_BT = arm.chain.tool_pose(q);
    // up and down, and out and in: the base need not turn
    const Vector3 outwards = Vector3(X_BT.position.x(), X_BT.position.y(), 0.0).normalized();
    const bool is_across = in_plane >= 50;
    Pose to = X_BT;
    to.position += draw(random, -0.08, 0.08) * Vector3::UnitZ() + draw(random, -0.08, 0.08) * outwards;
    if (is_across) to.position += draw(random, 0.05, 0.1) * Vector3::UnitZ().cross(outwards);
    const ToolPath path = straight_tool_path(X_BT, to);
    const Followed free = arm.follower.follow(path, q, loose);
    const Followed kept = arm.follower.follow(path, q, near);
    if (kept.status != FollowStatus::Done || free.status != FollowStatus::Done) continue;
    ++(is_across ? across : in_plane);
    EXPECT_LT((arm.chain.tool_pose(numbers(kept.points.back().q)).position - to.position).norm(), 1e-9);
    if (!is_across) {
      EXPECT_LT(lost_at_end(path, kept), 1e-4);
    }
    EXPECT_LT(lost_at_end(path, kept), lost_at_end(path, free) + 1e-4);
  }
}

TEST(ToolPathTest, SaysWhenTheArmReachesNoFurther) {
  const Arm arm(arms::ur5e());
  const std::vector<double> q{0.1, -1.0, 1.2, -0.4, 0.7, 0.2};
  const Pose X_BT = arm.chain.tool_pose(q);
  Pose to = X_BT;
  to.position.x() += 3.0;
  const ToolPath path = straight_tool_path(X_BT, to);
  const Followed followed = arm.follower.follow(path, q);
  EXPECT_EQ(followed.status, FollowStatus::OutOfReach);
  EXPECT_NE(explain(followed, path, arm.model, arm.chain).find("the arm reaches no further"),
            std::string::npos);
  EXPECT_EQ(advise(arm.follower, path, q).remedy, PathRemedy::None);
}

}  // namespace
}  // namespace sinew
