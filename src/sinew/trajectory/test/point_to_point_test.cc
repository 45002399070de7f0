// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/trajectory/point_to_point.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/trajectory/test/random_motion.h"
#include "sinew/trajectory/trajectory_check.h"

namespace sinew {
namespace {

std::vector<AxisLimits> wide_limits(RandomMotion& random, std::size_t joints) {
  std::vector<AxisLimits> limits(joints);
  for (AxisLimits& each : limits) {
    each = random.usual_limits();
    each.lower = -10.0;
    each.upper = 10.0;
  }
  return limits;
}

std::vector<double> random_positions(RandomMotion& random, std::size_t joints) {
  std::vector<double> positions(joints);
  for (double& each : positions) each = random.uniform(-3.0, 3.0);
  return positions;
}

// limits kept at 1 kHz, and steps no larger than the next derivative allows
void expect_kept_at_one_kilohertz(const Trajectory& trajectory, std::span<const AxisLimits> limits,
                                  bool has_jerk) {
  std::vector<AxisState> last(trajectory.joint_count());
  std::vector<AxisState> now(trajectory.joint_count());
  trajectory.sample(0.0, last);
  for (int k = 1; k * 1e-3 < std::min(trajectory.length(), 2.0); ++k) {
    trajectory.sample(k * 1e-3, now);
    for (std::size_t j = 0; j < now.size(); ++j) {
      ASSERT_LE(std::abs(now[j].velocity), limits[j].velocity * (1.0 + 1e-8));
      ASSERT_LE(std::abs(now[j].acceleration), limits[j].acceleration * (1.0 + 1e-8));
      ASSERT_LE(std::abs(now[j].position - last[j].position),
                limits[j].velocity * 1e-3 * (1.0 + 1e-8) + 1e-9);
      ASSERT_LE(std::abs(now[j].velocity - last[j].velocity),
                limits[j].acceleration * 1e-3 * (1.0 + 1e-8) + 1e-9);
      if (!has_jerk) continue;
      ASSERT_LE(std::abs(now[j].acceleration - last[j].acceleration),
                limits[j].jerk * 1e-3 * (1.0 + 1e-8) + 1e-9);
    }
    last = now;
  }
}

TEST(LspbTest, TakesTheSeedsFormByDefault) {
  const LspbLaw law = LspbLaw::make(2.0, {.duration = 3.0}).value();
  EXPECT_DOUBLE_EQ(law.speed(), 1.5 * 2.0 / 3.0);
  EXPECT_DOUBLE_EQ(law.blend_time(), 1.0);
  EXPECT_DOUBLE_EQ(law.at(1.5).s, 1.0);
  EXPECT_DOUBLE_EQ(law.at(1.5).speed, 1.0);
  EXPECT_DOUBLE_EQ(law.at(3.0).s, 2.0);
  EXPECT_EQ(law.at(0.0).acceleration_after, 1.0);
  EXPECT_EQ(law.at(1.0).acceleration_before, 1.0);
  EXPECT_EQ(law.at(1.0).acceleration_after, 0.0);
  EXPECT_EQ(law.at(2.0).acceleration_after, -1.0);
}

TEST(LspbTest, TimeAtIsTheInverseOfAt) {
  RandomMotion random(1);
  for (int i = 0; i < 100'000; ++i) {
    const LspbLaw law = LspbLaw::make(random.scale(0.01, 10.0), {.duration = random.scale(0.1, 10.0),
                                                                 .blend = random.uniform(0.01, 0.5)})
                            .value();
    const double time = random.uniform(0.0, law.duration());
    ASSERT_NEAR(law.time_at(law.at(time).s), time, 1e-7 * law.duration());
  }
}

TEST(LspbTest, RefusesShapesThatAreNone) {
  EXPECT_FALSE(LspbLaw::make(1.0, {.duration = 0.0}));
  EXPECT_FALSE(LspbLaw::make(1.0, {.duration = 1.0, .blend = 0.0}));
  EXPECT_FALSE(LspbLaw::make(1.0, {.duration = 1.0, .blend = 0.6}));
  EXPECT_FALSE(LspbLaw::make(std::numeric_limits<double>::quiet_NaN(), {.duration = 1.0}));
  EXPECT_FALSE(LspbLaw::fastest(1.0, 0.0, 1.0));
}

// the double integrator from rest to rest: the joint that takes longest decides
TEST(PointToPointTest, LspbWithinLimitsTakesTheTextbooksTime) {
  RandomMotion random(2);
  for (int i = 0; i < 100'000; ++i) {
    const auto limits = wide_limits(random, 1);
    const double from = random.uniform(-3.0, 3.0);
    const double to = random.uniform(-3.0, 3.0);
    const auto motion = lspb_motion(std::vector{from}, std::vector{to}, limits);
    ASSERT_TRUE(motion) << motion.error().message;
    const double v = limits[0].velocity;
    const double a = limits[0].acceleration;
    const double d = std::abs(to - from);
    const double best = d > v * v / a ? d / v + v / a : 2.0 * std::sqrt(d / a);
    ASSERT_NEAR(motion->length(), best, 1e-9 * best);
    ASSERT_NEAR(motion->at(0, motion->length()).value, to, 1e-9);
    ASSERT_NEAR(motion->at(0, motion->length()).first, 0.0, 1e-9 * (1.0 + v));
  }
}

TEST(PointToPointTest, LspbOfSevenJointsKeepsLimitsAndIsStraight) {
  RandomMotion random(3);
  for (int i = 0; i < 200; ++i) {
    const auto limits = wide_limits(random, 7);
    const auto from = random_positions(random, 7);
    const auto to = random_positions(random, 7);
    const auto motion = lspb_motion(from, to, limits);
    ASSERT_TRUE(motion) << motion.error().message;
    ASSERT_NO_FATAL_FAILURE(expect_kept_at_one_kilohertz(*motion, limits, false));
    for (int k = 0; k <= 10; ++k) {
      const double time = motion->length() * k / 10.0;
      const double share = (motion->at(0, time).value - from[0]) / (to[0] - from[0]);
      for (std::size_t j = 1; j < 7; ++j) {
        ASSERT_NEAR(motion->at(j, time).value, from[j] + share * (to[j] - from[j]), 1e-9);
      }
    }
  }
}

TEST(PointToPointTest, LspbThatIsTooFastSaysWhichJoint) {
  const std::vector<AxisLimits> limits(2, {.velocity = 1.0});
  const std::vector<std::string> names = {"base", "elbow"};
  const auto fast = lspb_motion(std::vector{0.0, 0.0}, std::vector{0.1, 2.0}, limits,
                                {.shape = LspbLaw::Shape{.duration = 2.0}, .names = names});
  ASSERT_FALSE(fast);
  EXPECT_EQ(fast.error().message,
            "joint 'elbow': velocity 1.5 rad/s or m/s at 0.666667 s passes its limit 1; take more time or "
            "another way");
  EXPECT_TRUE(lspb_motion(std::vector{0.0, 0.0}, std::vector{0.1, 2.0}, limits,
                          {.shape = LspbLaw::Shape{.duration = 3.1}}));
  EXPECT_TRUE(lspb_motion(std::vector{0.5, 0.0}, std::vector{0.5, 0.0}, limits));
  EXPECT_FALSE(lspb_motion(std::vector{0.5}, std::vector{0.5, 0.0}, limits));
}

TEST(PointToPointTest, LspbAlongASplineKeepsLimitsAndPassesThePoints) {
  RandomMotion random(4);
  for (int i = 0; i < 60; ++i) {
    const auto limits = wide_limits(random, 3);
    std::vector<double> points;
    for (int k = 0; k < 6; ++k) {
      for (const double each : random_positions(random, 3)) points.push_back(each);
    }
    const Waypoints waypoints{.joint_count = 3, .positions = points};
    const SplineKind kind = i % 2 == 0 ? SplineKind::Natural : SplineKind::Monotone;
    const JointPath path = spline_path(waypoints, {.kind = kind}).value();
    const auto motion = lspb_along(path, limits);
    if (!motion) {
      // a natural spline may pass a position limit between its points
      ASSERT_NE(motion.error().message.find("position"), std::string::npos) << motion.error().message;
      continue;
    }
    ASSERT_NO_FATAL_FAILURE(expect_kept_at_one_kilohertz(*motion, limits, false));
    for (std::size_t j = 0; j < 3; ++j) {
      ASSERT_NEAR(motion->at(j, 0.0).value, waypoints[0][j], 1e-9);
      ASSERT_NEAR(motion->at(j, motion->length()).value, waypoints[5][j], 1e-9);
    }
  }
}

TEST(PointToPointTest, QuinticFromRestToRestTakesTheTextbooksTime) {
  RandomMotion random(5);
  for (int i = 0; i < 100'000; ++i) {
    const auto limits = wide_limits(random, 1);
    const AxisState from{.position = random.uniform(-3.0, 3.0)};
    const AxisState to{.position = random.uniform(-3.0, 3.0)};
    const auto motion = quintic_motion(std::vector{from}, std::vector{to}, limits);
    ASSERT_TRUE(motion) << motion.error().message;
    // shorter passes a limit
    ASSERT_FALSE(
        quintic_motion(std::vector{from}, std::vector{to}, limits, {.duration = motion->length() * 0.9999}));
    ASSERT_NEAR(motion->at(0, motion->length()).value, to.position, 1e-9);
  }
}

TEST(PointToPointTest, QuinticBetweenAnyStatesKeepsAllLimits) {
  RandomMotion random(6);
  int found = 0;
  for (int i = 0; i < 500; ++i) {
    const auto limits = wide_limits(random, 3);
    std::vector<AxisState> from;
    std::vector<AxisState> to;
    for (const AxisLimits& each : limits) {
      from.push_back(random.state(each, 0.1));
      to.push_back(random.state(each, 0.1));
    }
    const auto motion = quintic_motion(from, to, limits);
    if (!motion) continue;
    ++found;
    ASSERT_TRUE(check_trajectory(*motion, limits));
    ASSERT_NO_FATAL_FAILURE(expect_kept_at_one_kilohertz(*motion, limits, true));
    for (std::size_t j = 0; j < 3; ++j) {
      ASSERT_NEAR(motion->at(j, motion->length()).value, to[j].position, 1e-9);
      ASSERT_NEAR(motion->at(j, motion->length()).first, to[j].velocity, 1e-9 * (1.0 + limits[j].velocity));
      ASSERT_NEAR(motion->at(j, motion->length()).second, to[j].acceleration,
                  1e-9 * (1.0 + limits[j].acceleration));
    }
  }
  EXPECT_GT(found, 150);
}

TEST(PointToPointTest, QuinticSaysWhatItPasses) {
  const auto motion = quintic_motion(std::vector<AxisState>{{}}, std::vector<AxisState>{{.position = 1.0}},
                                     std::vector<AxisLimits>(1), {.duration = 1.0});
  ASSERT_FALSE(motion);
  EXPECT_EQ(motion.error().message,
            "in 1 s: joint '1': velocity 1.875 rad/s or m/s at 0.5 s of the segment passes its limit 1; take "
            "more time "
            "or another way");
  EXPECT_FALSE(quintic_motion(std::vector<AxisState>{{.velocity = std::numeric_limits<double>::quiet_NaN()}},
                              std::vector<AxisState>(1), std::vector<AxisLimits>(1)));
}

}  // namespace
}  // namespace sinew
