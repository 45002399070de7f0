// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/trajectory/jerk_limited_path.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/trajectory/blend_timing.h"
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

// with one row more: the coordinate, so that it can be read where on the path a motion is
JointPath with_coordinate(const JointPath& path) {
  JointPath longer(path.joint_count() + 1);
  std::vector<Coefficients> piece(longer.joint_count());
  for (std::size_t i = 0; i < path.piece_count(); ++i) {
    for (std::size_t j = 0; j < path.joint_count(); ++j) piece[j] = path.polynomial(i, j);
    piece.back() = {path.knots()[i], 1.0};
    longer.append(path.piece_length(i), piece);
  }
  return longer;
}

// the largest share of the limits of its section that a motion uses, for one section and each of the two
struct SectionShares {
  double acceleration = 0.0;
  double jerk = 0.0;
};
SectionShares shares_in(const Trajectory& trajectory, const LimitSection& section, double from) {
  SectionShares most;
  const std::size_t joints = trajectory.joint_count() - 1;
  for (double t = 0.0; t < trajectory.length(); t += 1e-3) {
    const double s = trajectory.at(joints, t).value;
    if (s <= from || s > section.end) continue;
    for (std::size_t j = 0; j < joints; ++j) {
      const CurvePoint point = trajectory.at(j, t);
      most.acceleration =
          std::max(most.acceleration, std::abs(point.second) / section.limits[j].acceleration);
      most.jerk = std::max(most.jerk, std::abs(point.third) / section.limits[j].jerk);
    }
  }
  return most;
}

TEST(JerkLimitedPathTest, EachPartOfAPathKeepsItsOwnLimits) {
  RandomMotion random(5);
  for (int i = 0; i < 12; ++i) {
    std::vector<AxisLimits> fast = arm_limits(random, 3);
    const auto positions = arm_points(random, 6, 3);
    const std::vector<double> radii = {0.3};
    const Waypoints points{.joint_count = 3, .positions = positions};
    const JointPath path = with_coordinate(i % 2 == 0 ? blended_path(points, {.radii = radii}).value()
                                                      : spline_path(points).value());
    fast.push_back({.velocity = 1e6, .acceleration = 1e7, .jerk = 1e9});
    std::vector<AxisLimits> slow = fast;
    for (std::size_t j = 0; j < 3; ++j) {
      slow[j].acceleration *= 0.2;
      slow[j].jerk *= 0.2;
    }
    const double border = path.length() * random.uniform(0.3, 0.7);
    const std::vector<LimitSection> sections = {{border, i % 4 < 2 ? slow : fast},
                                                {path.length(), i % 4 < 2 ? fast : slow}};
    const auto motion = jerk_limited_along(path, fast, {.sections = sections});
    ASSERT_TRUE(motion) << motion.error().message;
    for (std::size_t k = 0; k < 2; ++k) {
      const SectionShares used = shares_in(motion->trajectory, sections[k], k == 0 ? 0.0 : border);
      EXPECT_LE(used.acceleration, 1.0 + 1e-6) << "path " << i << ", part " << k + 1;
      EXPECT_LE(used.jerk, 1.0 + 1e-6) << "path " << i << ", part " << k + 1;
      EXPECT_GT(used.acceleration, 0.6) << "path " << i << ", part " << k + 1 << " uses its own";
    }
    const double all_slow = jerk_limited_along(path, slow)->trajectory.length();
    const double all_fast = jerk_limited_along(path, fast)->trajectory.length();
    EXPECT_LT(motion->trajectory.length(), 0.98 * all_slow);
    EXPECT_GT(motion->trajectory.length(), all_fast);
    if (i % 2 != 0) continue;
    // the closed form keeps them as well
    const auto blends = time_blends(path, sections);
    ASSERT_TRUE(blends);
    for (std::size_t k = 0; k < 2; ++k) {
      const SectionShares used = shares_in(*blends, sections[k], k == 0 ? 0.0 : border);
      EXPECT_LE(used.acceleration, 1.0 + 1e-6) << "path " << i << ", part " << k + 1;
      EXPECT_LE(used.jerk, 1.0 + 1e-6) << "path " << i << ", part " << k + 1;
    }
    EXPECT_LT(blends->length(), time_blends(path, slow)->length());
  }
}

TEST(JerkLimitedPathTest, RefusesPartsThatSayNothing) {
  RandomMotion random(6);
  const auto limits = arm_limits(random, 2);
  const std::vector<double> positions = {0.0, 0.0, 1.0, 0.5, 0.3, 1.5};
  const Waypoints points{.joint_count = 2, .positions = positions};
  const std::vector<LimitSection> back = {{0.5, limits}, {0.2, limits}};
  const auto refused = jerk_limited_through(points, limits, {.sections = back});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "part 2 of the path, to 0.2: its end must not be before that of the part before, and it needs 2 "
            "usable limits, one for each joint");
  const std::vector<LimitSection> few = {{0.5, std::span(limits).first(1)}};
  EXPECT_FALSE(jerk_limited_through(points, limits, {.sections = few}));
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
