// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/trajectory/pose_path.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/trajectory/test/random_motion.h"

namespace sinew {
namespace {

constexpr double kPi = std::numbers::pi;

Pose random_pose(RandomMotion& random) {
  const Vector3 turn(random.uniform(-2.0, 2.0), random.uniform(-2.0, 2.0), random.uniform(-2.0, 2.0));
  return {
      .rotation = quaternion_from_rotation_vector(turn),
      .position = Vector3(random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0))};
}

Pose at(double x, double y, double z) {
  return {.position = Vector3(x, y, z)};
}

void expect_same(const Pose& one, const Pose& other, double tolerance) {
  const PoseDistance apart = distance(one, other);
  ASSERT_LE(apart.position, tolerance);
  ASSERT_LE(apart.rotation, tolerance * 10.0);
}

// derivative(s) is what differences of pose(s) show
void expect_derivative(const PosePath& path, double s) {
  const double h = 1e-6 * path.length();
  const Pose before = path.pose(s - h);
  const Pose after = path.pose(s + h);
  const Twist twist = path.derivative(s);
  const Vector3 linear = (after.position - before.position) / (2.0 * h);
  const Vector3 angular =
      before.rotation * rotation_vector(before.rotation.conjugate() * after.rotation) / (2.0 * h);
  ASSERT_LE((twist.linear - linear).norm(), 1e-4 * (1.0 + linear.norm()));
  ASSERT_LE((twist.angular - angular).norm(), 1e-4 * (1.0 + angular.norm()));
}

TEST(PosePathTest, LinesAreStraightAndEven) {
  RandomMotion random(1);
  for (int i = 0; i < 2000; ++i) {
    const Pose from = random_pose(random);
    const Pose to = random_pose(random);
    const PosePath path = PosePath::line(from, to).value();
    ASSERT_NO_FATAL_FAILURE(expect_same(path.pose(0.0), from, 1e-12));
    ASSERT_NO_FATAL_FAILURE(expect_same(path.pose(path.length()), to, 1e-12));
    const PoseDistance all = distance(from, to);
    ASSERT_NEAR(path.length(), std::max(all.position, 0.1 * all.rotation), 1e-12);
    for (int k = 1; k < 10; ++k) {
      const Pose between = path.pose(path.length() * k / 10.0);
      const PoseDistance part = distance(from, between);
      // far less than the hundredth of a millimetre that is promised
      ASSERT_NEAR(part.position + distance(between, to).position, all.position, 1e-12);
      ASSERT_NEAR(part.position, all.position * k / 10.0, 1e-12);
      ASSERT_NEAR(part.rotation, all.rotation * k / 10.0, 1e-9);
    }
    ASSERT_NO_FATAL_FAILURE(expect_derivative(path, path.length() * 0.4));
    ASSERT_NO_FATAL_FAILURE(expect_same(path.pose(-1.0), from, 1e-12));
    ASSERT_NO_FATAL_FAILURE(expect_same(path.pose(1e9), to, 1e-12));
  }
}

TEST(PosePathTest, ArcsPassTheirThreePointsAtConstantSpeed) {
  RandomMotion random(2);
  for (int i = 0; i < 200; ++i) {
    const Pose from = random_pose(random);
    const Pose middle = random_pose(random);
    const Pose to = random_pose(random);
    const PosePath path = PosePath::arc(from, middle, to).value();
    ASSERT_NO_FATAL_FAILURE(expect_same(path.pose(0.0), from, 1e-9));
    ASSERT_NO_FATAL_FAILURE(expect_same(path.pose(path.length()), to, 1e-9));
    double nearest = 1e9;
    const double speed = path.derivative(0.0).linear.norm();
    for (int k = 0; k <= 2000; ++k) {
      const double s = path.length() * k / 2000.0;
      nearest = std::min(nearest, (path.pose(s).position - middle.position).norm());
      ASSERT_NEAR(path.derivative(s).linear.norm(), speed, 1e-9);
    }
    ASSERT_LE(nearest, path.length() / 2000.0);
    ASSERT_LE(speed, 1.0 + 1e-9);
    ASSERT_NO_FATAL_FAILURE(expect_derivative(path, path.length() * 0.3));
  }
}

TEST(PosePathTest, ThreePointsOnALineAreALineOrRefused) {
  const PosePath path = PosePath::arc(at(0, 0, 0), at(1, 0, 0), at(3, 0, 0)).value();
  EXPECT_DOUBLE_EQ(path.length(), 3.0);
  EXPECT_NEAR(path.pose(1.5).position.y(), 0.0, 1e-15);
  const auto beyond = PosePath::arc(at(0, 0, 0), at(4, 0, 0), at(3, 0, 0));
  ASSERT_FALSE(beyond);
  EXPECT_EQ(beyond.error().message,
            "no arc leads from (0, 0, 0) through (4, 0, 0) to (3, 0, 0) m: the three must differ, and on a "
            "line the "
            "second be between; make a full circle of two arcs");
  EXPECT_FALSE(PosePath::arc(at(0, 0, 0), at(0, 0, 0), at(3, 0, 0)));
  EXPECT_FALSE(PosePath::arc(at(0, 0, 0), at(1, 0, 0), at(0, 0, 0)));
  EXPECT_FALSE(PosePath::arc(at(0, 0, 0), at(3, 0, 0), at(3, 0, 0)));
  // three quarters of a circle, the long way
  const PosePath long_way = PosePath::arc(at(1, 0, 0), at(-1, 0, 0), at(0, -1, 0)).value();
  EXPECT_NEAR(long_way.length(), 1.5 * kPi, 1e-12);
  EXPECT_NEAR(long_way.pose(0.5 * kPi).position.y(), 1.0, 1e-12);
}

TEST(PosePathTest, HalfATurnGoesTheStatedWay) {
  for (const double sign : {1.0, -1.0}) {
    const Pose from = at(0, 0, 0);
    const Pose to{.rotation = Quaternion(0.0, 0.0, 0.0, sign), .position = Vector3::Zero()};
    const PosePath path = PosePath::line(from, to).value();
    const Vector3 half = rotation_vector(path.pose(path.length() / 2.0).rotation);
    EXPECT_NEAR(half.z(), kPi / 2.0, 1e-9) << "about +z, whichever quaternion says so";
  }
  const Pose skewed{.rotation = Quaternion(0.0, -0.6, 0.8, 0.0), .position = Vector3::Zero()};
  const Vector3 axis = PosePath::line(at(0, 0, 0), skewed).value().derivative(0.0).angular;
  EXPECT_GT(axis.x(), 0.0);
  EXPECT_LT(axis.y(), 0.0);
}

TEST(PosePathTest, SplinesPassTheirPosesSmoothly) {
  RandomMotion random(3);
  for (int i = 0; i < 500; ++i) {
    std::vector<Pose> poses;
    for (int k = 0; k < 6; ++k) poses.push_back(random_pose(random));
    const PosePath path = PosePath::spline(poses).value();
    const std::vector<double> knots = path.knots();
    ASSERT_EQ(knots.size(), 6U);
    for (std::size_t k = 0; k < 6; ++k) {
      ASSERT_NO_FATAL_FAILURE(expect_same(path.pose(knots[k]), poses[k], 1e-9));
      if (k == 0 || k == 5) continue;
      const Twist before = path.derivative(knots[k] - 1e-9);
      const Twist after = path.derivative(knots[k]);
      ASSERT_LE((before.linear - after.linear).norm(), 1e-6);
      ASSERT_LE((before.angular - after.angular).norm(), 1e-4 * (1.0 + after.angular.norm()));
    }
    ASSERT_NO_FATAL_FAILURE(expect_derivative(path, path.length() * random.uniform(0.1, 0.9)));
  }
}

TEST(PosePathTest, EqualPosesAreAPathOfNoLength) {
  const Pose here = at(1, 2, 3);
  const PosePath path = PosePath::line(here, here).value();
  EXPECT_EQ(path.length(), 0.0);
  EXPECT_EQ(path.pose(0.5).position, here.position);
  EXPECT_EQ(path.derivative(0.0).linear.norm(), 0.0);
  const std::vector<Pose> poses = {here, here};
  EXPECT_EQ(PosePath::spline(poses).error().message, "a spline needs two different poses; 1 of 2 are");
  const std::vector<Pose> repeated = {here, here, at(1, 2, 4)};
  EXPECT_DOUBLE_EQ(PosePath::spline(repeated).value().length(), 1.0);
}

TEST(PosePathTest, PathsFollowEachOther) {
  const PosePath there = PosePath::line(at(0, 0, 0), at(1, 0, 0)).value();
  const PosePath round = PosePath::arc(at(1, 0, 0), at(2, 1, 0), at(1, 2, 0)).value();
  const PosePath both = there.then(round).value();
  EXPECT_NEAR(both.length(), 1.0 + kPi, 1e-12);
  EXPECT_NEAR((both.pose(1.0 + kPi / 2.0).position - Vector3(2, 1, 0)).norm(), 0.0, 1e-12);
  EXPECT_NEAR((both.pose(0.5).position - Vector3(0.5, 0, 0)).norm(), 0.0, 1e-12);
  EXPECT_EQ(round.then(there).error().message,
            "the next path begins 2.23607 m and 0 rad from where this one ends; at most 1e-06 is rounding");
}

TEST(PosePathTest, RefusesWhatIsNoPose) {
  Pose bad = at(0, 0, 0);
  bad.position.x() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(PosePath::line(at(0, 0, 0), bad));
  EXPECT_FALSE(PosePath::line(bad, at(0, 0, 0)));
  EXPECT_FALSE(PosePath::arc(at(0, 0, 0), bad, at(1, 0, 0)));
  EXPECT_FALSE(PosePath::spline(std::vector<Pose>{at(0, 0, 0), bad}));
  Pose longer = at(0, 0, 0);
  longer.rotation.w() = 2.0;
  EXPECT_FALSE(PosePath::line(longer, at(1, 0, 0)));
  EXPECT_FALSE(PosePath::line(at(0, 0, 0), at(1, 0, 0), {.turn_length = 0.0}));
}

}  // namespace
}  // namespace sinew
