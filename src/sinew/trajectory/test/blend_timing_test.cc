// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/trajectory/blend_timing.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/trajectory/jerk_limited.h"
#include "sinew/trajectory/jerk_limited_path.h"
#include "sinew/trajectory/joint_path.h"
#include "sinew/trajectory/trajectory_check.h"

#include "random_motion.h"

namespace sinew {
namespace {

/// A path of some corners for some joints, with their limits.
struct Way {
  std::vector<AxisLimits> limits;
  std::vector<double> points;
  JointPath path;
};

Way draw_way(RandomMotion& random, std::size_t joints, std::size_t corners) {
  Way way;
  for (std::size_t j = 0; j < joints; ++j) {
    const double acceleration = random.uniform(1.0, 20.0);
    way.limits.push_back({.velocity = random.uniform(0.5, 3.0),
                          .acceleration = acceleration,
                          .jerk = acceleration * random.uniform(3.0, 500.0)});
  }
  for (std::size_t i = 0; i < corners * joints; ++i) way.points.push_back(random.uniform(-2.0, 2.0));
  const auto line = [&](std::size_t i) {
    double square = 0.0;
    for (std::size_t j = 0; j < joints; ++j)
      square += std::pow(way.points[(i + 1) * joints + j] - way.points[i * joints + j], 2);
    return std::sqrt(square);
  };
  std::vector<double> radii;
  for (std::size_t i = 0; i + 2 < corners; ++i)
    radii.push_back(random.uniform(0.02, 0.5) * std::min(line(i), line(i + 1)));
  way.path =
      blended_path({.joint_count = joints, .positions = way.points}, {.radii = radii}).value_or(JointPath{});
  return way;
}

TEST(BlendTimingTest, KeepsEveryLimitAndComesToItsEnd) {
  RandomMotion random(11);
  for (int i = 0; i < 10'000; ++i) {
    const std::size_t joints = 1 + static_cast<std::size_t>(i) % 7;
    const Way way = draw_way(random, joints, 2 + static_cast<std::size_t>(i) % 6);
    ASSERT_GT(way.path.piece_count(), 0U);
    const auto trajectory = time_blends(way.path, way.limits);
    ASSERT_TRUE(trajectory) << i;
    const TrajectoryCheck check = check_trajectory(*trajectory, way.limits, {.tolerance = 1e-9});
    ASSERT_TRUE(check) << i << ": " << trajectory_status(check).error().message;
    for (std::size_t j = 0; j < joints; ++j) {
      const CurvePoint begin = trajectory->at(j, 0.0);
      const CurvePoint end = trajectory->at(j, trajectory->length());
      ASSERT_NEAR(begin.value, way.points[j], 1e-12);
      ASSERT_NEAR(end.value, way.points[way.points.size() - joints + j], 1e-9);
      ASSERT_NEAR(begin.first, 0.0, 1e-12);
      ASSERT_NEAR(end.first, 0.0, 1e-9);
      ASSERT_NEAR(end.second, 0.0, 1e-6);
    }
  }
}

TEST(BlendTimingTest, StaysOnItsPath) {
  RandomMotion random(12);
  for (int i = 0; i < 200; ++i) {
    Way way = draw_way(random, 3, 5);
    // its own coordinate as one more joint, which nothing limits
    JointPath path(4);
    for (std::size_t piece = 0; piece < way.path.piece_count(); ++piece) {
      std::vector<Coefficients> rows;
      for (std::size_t j = 0; j < 3; ++j) rows.push_back(way.path.polynomial(piece, j));
      rows.push_back({path.length(), 1.0});
      path.append(way.path.piece_length(piece), rows);
    }
    way.limits.push_back({.velocity = 1e6, .acceleration = 1e7, .jerk = 1e9});
    const auto trajectory = time_blends(path, way.limits);
    ASSERT_TRUE(trajectory);
    for (int k = 0; k <= 200; ++k) {
      const double t = trajectory->length() * k / 200;
      const double s = trajectory->at(3, t).value;
      for (std::size_t j = 0; j < 3; ++j)
        ASSERT_NEAR(trajectory->at(j, t).value, way.path.at(j, s).value, 1e-9) << i;
    }
  }
}

TEST(BlendTimingTest, OneLineTakesTheShortestTimeThereIs) {
  RandomMotion random(13);
  for (int i = 0; i < 2000; ++i) {
    const Way way = draw_way(random, 1, 2);
    const auto trajectory = time_blends(way.path, way.limits);
    ASSERT_TRUE(trajectory);
    const AxisProfile best = plan_to_rest_at(way.points[1], {.position = way.points[0]}, way.limits[0]);
    ASSERT_NEAR(trajectory->length(), best.duration(), 1e-6 * best.duration());
  }
}

// what one speed in each blend costs, against the generator that may change it there
TEST(BlendTimingTest, IsSeldomMuchSlowerThanTheSlowGenerator) {
  RandomMotion random(14);
  double sum = 0.0;
  double other = 0.0;
  for (int i = 0; i < 30; ++i) {
    const Way way = draw_way(random, 6, 4);
    const auto trajectory = time_blends(way.path, way.limits);
    const auto best = jerk_limited_along(way.path, way.limits);
    ASSERT_TRUE(trajectory && best);
    sum += trajectory->length();
    other += best->trajectory.length();
    EXPECT_LT(trajectory->length(), 1.6 * best->trajectory.length()) << i;
  }
  EXPECT_LT(sum, 1.1 * other);
}

TEST(BlendTimingTest, LeavesOtherPathsAlone) {
  const std::vector<AxisLimits> limits(2);
  const std::vector<double> points{0.0, 0.0, 1.0, 0.5, 0.0, 1.0};
  const Waypoints waypoints{.joint_count = 2, .positions = points};
  EXPECT_FALSE(time_blends(spline_path(waypoints).value(), limits));
  const std::vector<double> radius{0.2};
  EXPECT_FALSE(
      time_blends(blended_path(waypoints, {.kind = BlendKind::Parabolic, .radii = radius}).value(), limits));
  EXPECT_TRUE(time_blends(blended_path(waypoints, {.radii = radius}).value(), limits));
  EXPECT_FALSE(time_blends(JointPath(2), limits));
  EXPECT_FALSE(time_blends(blended_path(waypoints, {.radii = radius}).value(), std::span(limits).first(1)));
  std::vector<AxisLimits> bad = limits;
  bad[1].jerk = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(time_blends(blended_path(waypoints, {.radii = radius}).value(), bad));
}

}  // namespace
}  // namespace sinew
