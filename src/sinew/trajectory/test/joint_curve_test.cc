// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/trajectory/joint_curve.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/trajectory/test/random_motion.h"
#include "sinew/trajectory/trajectory_check.h"

namespace sinew {
namespace {

CurvePoint random_point(RandomMotion& random) {
  return {.value = random.uniform(-3.0, 3.0),
          .first = random.uniform(-2.0, 2.0),
          .second = random.uniform(-5.0, 5.0)};
}

// quintics between points that each piece shares with the next
Trajectory random_trajectory(RandomMotion& random, std::size_t joints, std::size_t pieces) {
  Trajectory trajectory(joints);
  std::vector<CurvePoint> points;
  for (std::size_t j = 0; j < joints; ++j) points.push_back(random_point(random));
  std::vector<Coefficients> piece(joints);
  for (std::size_t i = 0; i < pieces; ++i) {
    const double length = random.scale(0.01, 2.0);
    for (std::size_t j = 0; j < joints; ++j) {
      const CurvePoint next = random_point(random);
      piece[j] = quintic_between(points[j], next, length);
      points[j] = next;
    }
    trajectory.append(length, piece);
  }
  return trajectory;
}

TEST(JointCurveTest, AQuinticBeginsAndEndsAsTold) {
  RandomMotion random(1);
  for (int i = 0; i < 100'000; ++i) {
    const CurvePoint from = random_point(random);
    const CurvePoint to = random_point(random);
    const double length = random.scale(0.01, 10.0);
    const Coefficients c = quintic_between(from, to, length);
    const CurvePoint end = evaluate(c, length);
    ASSERT_EQ(evaluate(c, 0.0).value, from.value);
    ASSERT_EQ(evaluate(c, 0.0).first, from.first);
    ASSERT_EQ(evaluate(c, 0.0).second, from.second);
    ASSERT_NEAR(end.value, to.value, 1e-12 * (1.0 + length * length));
    ASSERT_NEAR(end.first, to.first, 1e-11 * (length + 1.0 / length));
    ASSERT_NEAR(end.second, to.second, 1e-11 * (1.0 + 1.0 / (length * length)));
  }
}

TEST(JointCurveTest, NoBendIsLargerThanItsBound) {
  RandomMotion random(41);
  for (int i = 0; i < 5000; ++i) {
    const double length = random.scale(0.01, 2.0);
    const Coefficients c = quintic_between(random_point(random), random_point(random), length);
    const double bound = bend_bound(c, length);
    for (int k = 0; k <= 50; ++k)
      ASSERT_LE(std::abs(evaluate(c, length * k / 50).second), bound * (1.0 + 1e-12));
  }
  // a blend from one slope to another: 3/2 of the mean bend, and not a sum of all terms, which is eight times
  const Coefficients blend =
      quintic_between({.value = -1.0, .first = 1.0}, {.value = 0.0, .first = 0.0}, 2.0);
  EXPECT_LT(bend_bound(blend, 2.0), 1.4 * std::abs(evaluate(blend, 1.0).second));
}

TEST(JointCurveTest, SamplesThePieceAndStaysAtTheEnds) {
  RandomMotion random(2);
  const Trajectory trajectory = random_trajectory(random, 3, 10);
  std::vector<AxisState> states(3);
  for (int i = 0; i < 1000; ++i) {
    const double time = random.uniform(0.0, trajectory.length());
    const std::size_t piece = trajectory.piece_at(time);
    ASSERT_LE(trajectory.knots()[piece], time);
    ASSERT_GE(trajectory.knots()[piece + 1], time);
    trajectory.sample(time, states);
    for (std::size_t j = 0; j < 3; ++j) {
      const CurvePoint point = evaluate(trajectory.polynomial(piece, j), time - trajectory.knots()[piece]);
      ASSERT_EQ(states[j].position, point.value);
      ASSERT_EQ(trajectory.at(j, time).third, point.third);
    }
  }
  EXPECT_EQ(trajectory.at(1, -5.0).value, trajectory.at(1, 0.0).value);
  EXPECT_EQ(trajectory.at(1, 1e9).value, trajectory.at(1, trajectory.length()).value);
  EXPECT_EQ(Trajectory(2).length(), 0.0);
  EXPECT_EQ(Trajectory(2).at(0, 1.0).value, 0.0);
}

// what the controller is sent is the same function of time, though its pieces begin at whole nanoseconds
TEST(JointCurveTest, SegmentsAreTheSameFunctionOfTime) {
  RandomMotion random(3);
  for (int i = 0; i < 100; ++i) {
    const Trajectory trajectory = random_trajectory(random, 2, 8);
    for (std::size_t piece = 0; piece < trajectory.piece_count(); ++piece) {
      const PolynomialSegment segment = trajectory.segment(piece, 1);
      if (piece > 0) {
        const SegmentTime before = trajectory.segment(piece - 1, 1).time;
        ASSERT_EQ(before.start_ns + before.duration_ns, segment.time.start_ns);
      }
      const std::int64_t time_ns = segment.time.start_ns + segment.time.duration_ns / 3;
      const AxisState sent = evaluate(segment, time_ns);
      const CurvePoint own = trajectory.at(1, static_cast<double>(time_ns) * 1e-9);
      ASSERT_NEAR(sent.position, own.value, 1e-12);
      ASSERT_NEAR(sent.velocity, own.first, 1e-9 * std::max(1.0, std::abs(own.second)));
    }
  }
}

TEST(JointCurveTest, StretchedItTakesTheSameWaySlower) {
  RandomMotion random(4);
  const Trajectory trajectory = random_trajectory(random, 2, 5);
  Trajectory slower = trajectory;
  slower.stretch(2.0);
  EXPECT_DOUBLE_EQ(slower.length(), 2.0 * trajectory.length());
  for (double time = 0.0; time < trajectory.length(); time += 0.01) {
    const CurvePoint one = trajectory.at(0, time);
    const CurvePoint other = slower.at(0, 2.0 * time);
    ASSERT_NEAR(other.value, one.value, 1e-9);
    ASSERT_NEAR(other.first, one.first / 2.0, 1e-6 * (1.0 + std::abs(one.first)));
    ASSERT_NEAR(other.third, one.third / 8.0, 1e-6 * (1.0 + std::abs(one.third)));
  }
}

TEST(TrajectoryCheckTest, FindsWhatSamplesFind) {
  RandomMotion random(5);
  int refused = 0;
  for (int i = 0; i < 2000; ++i) {
    const Trajectory trajectory = random_trajectory(random, 2, 3);
    const AxisLimits limits{.lower = -random.scale(3.0, 30.0),
                            .upper = random.scale(3.0, 30.0),
                            .velocity = random.scale(1.0, 1e3),
                            .acceleration = random.scale(10.0, 1e5),
                            .jerk = random.scale(1e3, 1e8)};
    const TrajectoryCheck check =
        check_trajectory(trajectory, std::vector<AxisLimits>(2, limits), {.tolerance = 1e-6});
    refused += check ? 0 : 1;
    bool is_inside = true;
    for (int k = 0; k <= 1000; ++k) {
      for (std::size_t j = 0; j < 2; ++j) {
        const CurvePoint p = trajectory.at(j, trajectory.length() * k / 1000.0);
        is_inside = is_inside && p.value >= limits.lower && p.value <= limits.upper &&
                    std::abs(p.first) <= limits.velocity && std::abs(p.second) <= limits.acceleration &&
                    std::abs(p.third) <= limits.jerk;
      }
    }
    ASSERT_TRUE(is_inside || !check) << i;
    if (check) continue;
    const CurvePoint there = trajectory.at(check.joint, check.time);
    const double value = check.fault == TrajectoryFault::Position       ? there.value
                         : check.fault == TrajectoryFault::Velocity     ? there.first
                         : check.fault == TrajectoryFault::Acceleration ? there.second
                                                                        : there.third;
    if (check.fault == TrajectoryFault::Jerk) continue;  // jumps where pieces meet
    ASSERT_NEAR(value, check.value, 1e-6 * (1.0 + std::abs(value))) << i;
    ASSERT_GT(std::abs(check.value), std::abs(check.bound));
  }
  EXPECT_GT(refused, 200);
  EXPECT_LT(refused, 1900);
}

TEST(TrajectoryCheckTest, NeededStretchIsEnoughAndNoMore) {
  RandomMotion random(6);
  for (int i = 0; i < 1000; ++i) {
    Trajectory trajectory = random_trajectory(random, 2, 3);
    std::vector<AxisLimits> limits(2);
    for (AxisLimits& each : limits) each = {.velocity = 1.0, .acceleration = 10.0, .jerk = 100.0};
    const double factor = needed_stretch(trajectory, limits);
    ASSERT_GE(factor, 1.0);
    trajectory.stretch(factor);
    ASSERT_TRUE(check_trajectory(trajectory, limits, {.tolerance = 1e-6})) << i;
    if (factor == 1.0) continue;
    trajectory.stretch(1.0 - 1e-6);
    ASSERT_FALSE(check_trajectory(trajectory, limits, {.tolerance = 1e-6})) << i;
  }
}

TEST(TrajectoryCheckTest, SaysJointTimeValueAndBound) {
  const std::vector<std::string> names = {"base", "elbow"};
  Trajectory trajectory(2);
  trajectory.append(1.0, std::vector<Coefficients>{{0.0}, {0.0, 0.5}});
  trajectory.append(1.0, std::vector<Coefficients>{{0.0}, {0.5, 0.5, 1.0}});
  const std::vector<AxisLimits> limits(2);
  const TrajectoryCheck jump = check_trajectory(trajectory, limits);
  EXPECT_EQ(jump.fault, TrajectoryFault::AccelerationJump);
  EXPECT_EQ(trajectory_status(jump, names).error().message,
            "joint 'elbow': acceleration jumps by 2 rad/s² or m/s² at 1 s, at most 2e-09 is rounding; let "
            "each piece "
            "begin as the one before ends");
  const TrajectoryCheck fast = check_trajectory(trajectory, limits, {.allow_acceleration_jumps = true});
  EXPECT_EQ(trajectory_status(fast).error().message,
            "joint '2': velocity 2.5 rad/s or m/s at 2 s passes its limit 1; take more time or another way");
  EXPECT_EQ(check_trajectory(trajectory, std::vector<AxisLimits>(3)).fault, TrajectoryFault::WrongCount);
  trajectory.append(1.0, std::vector<Coefficients>{{std::numeric_limits<double>::quiet_NaN()}, {2.0}});
  EXPECT_FALSE(check_trajectory(trajectory, std::vector<AxisLimits>(2, {.velocity = 3.0}),
                                {.allow_acceleration_jumps = true}));
  EXPECT_TRUE(trajectory_status({}));
}

}  // namespace
}  // namespace sinew
