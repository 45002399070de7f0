// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/trajectory/joint_path.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/trajectory/test/random_motion.h"

namespace sinew {
namespace {

std::vector<double> random_points(RandomMotion& random, std::size_t points, std::size_t joints) {
  std::vector<double> positions(points * joints);
  for (double& each : positions) each = random.uniform(-3.0, 3.0);
  return positions;
}

void expect_smooth(const JointPath& path, bool has_second) {
  for (std::size_t i = 1; i < path.piece_count(); ++i) {
    for (std::size_t j = 0; j < path.joint_count(); ++j) {
      const CurvePoint before = evaluate(path.polynomial(i - 1, j), path.piece_length(i - 1));
      const CurvePoint after = evaluate(path.polynomial(i, j), 0.0);
      ASSERT_NEAR(before.value, after.value, 1e-9);
      ASSERT_NEAR(before.first, after.first, 1e-8);
      if (has_second) {
        ASSERT_NEAR(before.second, after.second, 1e-7 * (1.0 + std::abs(after.second)));
      }
    }
  }
}

TEST(JointPathTest, SplinesPassTheirPointsSmoothly) {
  RandomMotion random(1);
  for (int i = 0; i < 1000; ++i) {
    const std::size_t count = 2 + random.bits() % 10;
    const auto positions = random_points(random, count, 3);
    const Waypoints points{.joint_count = 3, .positions = positions};
    const bool is_uniform = random.chance(0.5);
    for (const SplineKind kind : {SplineKind::Natural, SplineKind::Clamped, SplineKind::Monotone}) {
      const std::vector<double> slope = {0.1, -0.2, 0.3};
      const JointPath path =
          spline_path(points, {.kind = kind, .is_uniform = is_uniform, .start_slope = slope}).value();
      ASSERT_NO_FATAL_FAILURE(expect_smooth(path, kind != SplineKind::Monotone));
      const std::vector<double> s = spline_coordinates(points, is_uniform);
      for (std::size_t k = 0; k < count; ++k) {
        for (std::size_t j = 0; j < 3; ++j) ASSERT_NEAR(path.at(j, s[k]).value, points[k][j], 1e-9);
      }
      for (std::size_t j = 0; j < 3; ++j) {
        if (kind == SplineKind::Natural) {
          ASSERT_NEAR(path.at(j, 0.0).second, 0.0, 1e-8);
          ASSERT_NEAR(path.at(j, path.length()).second, 0.0, 1e-8);
        }
        if (kind == SplineKind::Clamped) {
          ASSERT_NEAR(path.at(j, 0.0).first, slope[j], 1e-9);
          ASSERT_NEAR(path.at(j, path.length()).first, 0.0, 1e-8);
        }
      }
    }
  }
}

TEST(JointPathTest, MonotoneSplinesNeverPassTheirPoints) {
  RandomMotion random(2);
  for (int i = 0; i < 2000; ++i) {
    const auto positions = random_points(random, 8, 2);
    const Waypoints points{.joint_count = 2, .positions = positions};
    const JointPath path = spline_path(points, {.kind = SplineKind::Monotone}).value();
    for (std::size_t piece = 0; piece < path.piece_count(); ++piece) {
      for (std::size_t j = 0; j < 2; ++j) {
        const auto [low, high] = std::minmax(points[piece][j], points[piece + 1][j]);
        for (int k = 0; k <= 20; ++k) {
          const double value = evaluate(path.polynomial(piece, j), path.piece_length(piece) * k / 20.0).value;
          ASSERT_GE(value, low - 1e-12);
          ASSERT_LE(value, high + 1e-12);
        }
      }
    }
  }
}

TEST(JointPathTest, LeavesOutRepeatedPointsAndRefusesWhatIsNoPath) {
  const std::vector<double> repeated = {0.0, 1.0, 1.0, 2.0};
  const JointPath path = spline_path({.joint_count = 1, .positions = repeated}).value();
  EXPECT_EQ(path.piece_count(), 2U);
  EXPECT_DOUBLE_EQ(path.length(), 2.0);
  EXPECT_EQ(spline_path({.joint_count = 1, .positions = std::vector{1.0, 1.0}}).error().message,
            "a path needs two different points; 1 of 2 are");
  EXPECT_FALSE(spline_path({.joint_count = 2, .positions = std::vector{1.0, 2.0, 3.0}}));
  EXPECT_FALSE(spline_path({}));
  const std::vector<double> bad = {0.0, std::numeric_limits<double>::quiet_NaN()};
  EXPECT_EQ(spline_path({.joint_count = 1, .positions = bad}).error().message,
            "point 2, joint 1: nan is no position; give a number of at most 1e+09");
}

double distance_from_line(const std::vector<double>& p, std::span<const double> a,
                          std::span<const double> b) {
  double along = 0.0;
  double length = 0.0;
  for (std::size_t j = 0; j < p.size(); ++j) {
    along += (p[j] - a[j]) * (b[j] - a[j]);
    length += (b[j] - a[j]) * (b[j] - a[j]);
  }
  const double share = std::clamp(along / length, 0.0, 1.0);
  double sum = 0.0;
  for (std::size_t j = 0; j < p.size(); ++j) sum += std::pow(p[j] - a[j] - share * (b[j] - a[j]), 2);
  return std::sqrt(sum);
}

TEST(JointPathTest, BlendsStayNearTheCornersAsStated) {
  RandomMotion random(3);
  for (int i = 0; i < 500; ++i) {
    const auto positions = random_points(random, 5, 3);
    const Waypoints points{.joint_count = 3, .positions = positions};
    const std::vector<double> radii = {random.scale(0.01, 5.0), random.scale(0.01, 5.0),
                                       random.scale(0.01, 5.0)};
    for (const BlendKind kind : {BlendKind::Parabolic, BlendKind::Quintic}) {
      const JointPath path = blended_path(points, {.kind = kind, .radii = radii}).value();
      const std::vector<double> taken = blend_radii(points, {.kind = kind, .radii = radii}).value();
      ASSERT_NO_FATAL_FAILURE(expect_smooth(path, kind == BlendKind::Quintic));
      const double widest = *std::max_element(taken.begin(), taken.end());
      const double most = widest * 2.0 * (kind == BlendKind::Parabolic ? 0.25 : 3.0 / 16.0);
      std::vector<double> p(3);
      for (int k = 0; k <= 400; ++k) {
        for (std::size_t j = 0; j < 3; ++j) p[j] = path.at(j, path.length() * k / 400.0).value;
        double nearest = 1e9;
        for (std::size_t line = 0; line < 4; ++line) {
          nearest = std::min(nearest, distance_from_line(p, points[line], points[line + 1]));
        }
        ASSERT_LE(nearest, most + 1e-9);
      }
      for (std::size_t j = 0; j < 3; ++j) ASSERT_NEAR(path.at(j, path.length()).value, points[4][j], 1e-9);
    }
  }
}

TEST(JointPathTest, OverlappingBlendsShrinkByTheStatedRule) {
  // lines of length 4, 1 and 4; the blends of 1 and 3 overlap on the middle one
  const std::vector<double> positions = {0.0, 0.0, 4.0, 0.0, 4.0, 1.0, 8.0, 1.0};
  const Waypoints points{.joint_count = 2, .positions = positions};
  const std::vector<double> radii = {1.0, 3.0};
  const std::vector<double> taken = blend_radii(points, {.radii = radii}).value();
  ASSERT_EQ(taken.size(), 2U);
  EXPECT_DOUBLE_EQ(taken[0], 0.25);
  EXPECT_DOUBLE_EQ(taken[1], 0.75);
  const std::vector<double> fits = {0.4, 0.6};
  EXPECT_EQ(blend_radii(points, {.radii = fits}).value(), fits);
  // a corner is passed at r·k/4, with k the square root of two at a right angle
  const JointPath path = blended_path(points, {.kind = BlendKind::Parabolic, .radii = fits}).value();
  const double s = 3.6 + 0.4;
  EXPECT_NEAR(std::hypot(path.at(0, s).value - 4.0, path.at(1, s).value), 0.4 * std::sqrt(2.0) / 4.0, 1e-12);
  EXPECT_EQ(blend_radii(points, {}).error().message,
            "point 2 has no blend radius (0): give it one, or stop there with a motion of its own");
  const std::vector<double> negative = {-1.0};
  EXPECT_FALSE(blended_path(points, {.radii = negative}));
}

TEST(JointPathTest, TheGridHoldsTheKnotsAndLooksBeforeSuddenBends) {
  RandomMotion random(4);
  const auto positions = random_points(random, 5, 2);
  const Waypoints points{.joint_count = 2, .positions = positions};
  const JointPath smooth = spline_path(points).value();
  const JointPath sudden = spline_path(points, {.kind = SplineKind::Monotone}).value();
  const std::vector<double> one = path_grid(smooth, 100);
  const std::vector<double> other = path_grid(sudden, 100);
  EXPECT_NEAR(static_cast<double>(one.size()), 100.0, 5.0);
  EXPECT_EQ(other.size(), one.size() + 3);
  for (const auto* grid : {&one, &other}) {
    EXPECT_TRUE(std::is_sorted(grid->begin(), grid->end()));
    for (const double knot : smooth.knots())
      EXPECT_NE(std::find(grid->begin(), grid->end(), knot), grid->end());
  }
}

}  // namespace
}  // namespace sinew
