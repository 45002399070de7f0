// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/trajectory/jerk_limited_path.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/trajectory/test/random_motion.h"
#include "sinew/trajectory/trajectory_check.h"

namespace sinew {
namespace {

std::vector<AxisLimits> arm_limits(RandomMotion& random, std::size_t joints) {
  std::vector<AxisLimits> limits(joints);
  for (AxisLimits& each : limits) {
    each.velocity = random.uniform(1.0, 3.0);
    each.acceleration = random.uniform(5.0, 20.0);
    each.jerk = each.acceleration * random.scale(10.0, 100.0);
  }
  return limits;
}

std::vector<double> arm_points(RandomMotion& random, std::size_t points, std::size_t joints) {
  std::vector<double> positions(points * joints);
  for (double& each : positions) each = random.uniform(-2.0, 2.0);
  return positions;
}

TEST(JerkLimitedPathTest, PassesTwentyPointsWithinAllLimits) {
  RandomMotion random(1);
  for (int i = 0; i < 6; ++i) {
    const auto limits = arm_limits(random, 7);
    const auto positions = arm_points(random, 20, 7);
    const Waypoints points{.joint_count = 7, .positions = positions};
    const auto motion = jerk_limited_through(points, limits);
    ASSERT_TRUE(motion) << motion.error().message;
    const Trajectory& trajectory = motion->trajectory;
    // the check has been made; here it is made by samples, at 1 kHz
    std::vector<AxisState> last(7);
    std::vector<AxisState> now(7);
    trajectory.sample(0.0, last);
    std::size_t passed = 1;
    for (int k = 1; k * 1e-3 < trajectory.length(); ++k) {
      trajectory.sample(k * 1e-3, now);
      for (std::size_t j = 0; j < 7; ++j) {
        ASSERT_LE(std::abs(now[j].velocity), limits[j].velocity * (1.0 + 1e-8));
        ASSERT_LE(std::abs(now[j].acceleration), limits[j].acceleration * (1.0 + 1e-8));
        ASSERT_LE(std::abs(now[j].position - last[j].position), limits[j].velocity * 1e-3 * (1.0 + 1e-6));
        ASSERT_LE(std::abs(now[j].velocity - last[j].velocity), limits[j].acceleration * 1e-3 * (1.0 + 1e-6));
        ASSERT_LE(std::abs(now[j].acceleration - last[j].acceleration), limits[j].jerk * 1e-3 * (1.0 + 1e-6));
      }
      last = now;
      bool is_there = passed < 19;
      for (std::size_t j = 0; j < 7 && is_there; ++j) {
        is_there = std::abs(now[j].position - points[passed][j]) <= limits[j].velocity * 1e-3;
      }
      if (is_there) ++passed;
    }
    EXPECT_EQ(passed, 19U) << "all inner points, in their order";
    for (std::size_t j = 0; j < 7; ++j) {
      const CurvePoint end = trajectory.at(j, trajectory.length());
      EXPECT_NEAR(end.value, points[19][j], 1e-9);
      EXPECT_NEAR(end.first, 0.0, 1e-9);
      EXPECT_NEAR(end.second, 0.0, 1e-6);
    }
    EXPECT_GT(trajectory.length(), motion->shortest);
    EXPECT_LT(trajectory.length(), 1.25 * motion->shortest);
  }
}

// from rest to rest with full acceleration and full velocity the optimum is known
TEST(JerkLimitedPathTest, IsCloseToTheOptimumOnALine) {
  RandomMotion random(2);
  for (int i = 0; i < 40; ++i) {
    AxisLimits l{.velocity = random.uniform(0.5, 2.0), .acceleration = random.uniform(5.0, 20.0)};
    l.jerk = l.acceleration * l.acceleration / l.velocity * random.uniform(1.0, 10.0);
    const double distance = random.uniform(2.0, 4.0);
    const auto motion = jerk_limited_through({.joint_count = 1, .positions = std::vector{0.0, distance}},
                                             std::vector{l}, {.points = 400});
    ASSERT_TRUE(motion) << motion.error().message;
    const double best = distance / l.velocity + l.velocity / l.acceleration + l.acceleration / l.jerk;
    EXPECT_GE(motion->trajectory.length(), best * (1.0 - 1e-6));
    EXPECT_LE(motion->trajectory.length(), best * 1.01);
  }
}

TEST(JerkLimitedPathTest, KeepsBlendsAndTheSpeedOfTheTool) {
  RandomMotion random(3);
  const auto limits = arm_limits(random, 3);
  const auto positions = arm_points(random, 6, 3);
  const Waypoints points{.joint_count = 3, .positions = positions};
  const std::vector<double> radii = {0.3};
  const JointPath path = blended_path(points, {.radii = radii}).value();
  const auto free = jerk_limited_along(path, limits);
  ASSERT_TRUE(free) << free.error().message;
  const auto slow = jerk_limited_along(path, limits, {.speed_limit = [](double) { return 0.25; }});
  ASSERT_TRUE(slow) << slow.error().message;
  EXPECT_GT(slow->trajectory.length(), path.length() / 0.25);
  EXPECT_LT(slow->trajectory.length(), path.length() / 0.25 * 1.1);
  for (int k = 0; k <= 1000; ++k) {
    double squares = 0.0;
    for (std::size_t j = 0; j < 3; ++j) {
      squares += std::pow(slow->trajectory.at(j, slow->trajectory.length() * k / 1000.0).first, 2);
    }
    // a quintic blend is a little faster than its coordinate
    EXPECT_LE(std::sqrt(squares), 0.25 * 1.4);
  }
}

TEST(JerkLimitedPathTest, RefusesPathsThatBendSuddenlyAndLimitsThatTheyPass) {
  RandomMotion random(4);
  auto limits = arm_limits(random, 2);
  const std::vector<double> positions = {0.0, 0.0, 1.0, 0.5, 0.3, 1.5};
  const Waypoints points{.joint_count = 2, .positions = positions};
  const JointPath sudden = spline_path(points, {.kind = SplineKind::Monotone}).value();
  const auto refused = jerk_limited_along(sudden, limits);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("second derivative jumps"), std::string::npos);
  limits[0].upper = 0.5;
  const std::vector<std::string> names = {"base", "elbow"};
  const auto outside = jerk_limited_through(points, limits, {.names = names});
  ASSERT_FALSE(outside);
  EXPECT_NE(outside.error().message.find("joint 'base': position"), std::string::npos)
      << outside.error().message;
  EXPECT_NE(outside.error().message.find("passes its limit 0.5"), std::string::npos)
      << outside.error().message;
  EXPECT_FALSE(jerk_limited_through(points, std::vector<AxisLimits>(1)));
  EXPECT_FALSE(jerk_limited_along(JointPath(2), limits));
  EXPECT_FALSE(
      jerk_limited_through(points, arm_limits(random, 2), {.speed_limit = [](double) { return 0.0; }}));
  EXPECT_FALSE(jerk_limited_through(points, arm_limits(random, 2), {.speed_limit = [](double) {
                                      return std::numeric_limits<double>::quiet_NaN();
                                    }}));
}

}  // namespace
}  // namespace sinew
