// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/simulation/prism_contact.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "sinew/base/draws.h"

namespace sinew {
namespace {

Prism prism_at(const Pose& X_WP, double radius, double height, std::size_t sides) {
  Prism prism{.middle = X_WP.position,
              .axis = X_WP.rotation * Vector3::UnitZ(),
              .half_height = 0.5 * height,
              .sides = sides};
  for (std::size_t i = 0; i < sides; ++i) {
    const double angle = 2.0 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(sides);
    prism.corners[i] = X_WP.rotation * Vector3(radius * std::cos(angle), radius * std::sin(angle), 0);
  }
  return prism;
}

// How far a point is outside of a prism at most; negative: inside.
double outside(const Prism& prism, const Vector3& place) {
  const Vector3 p = place - prism.middle;
  double most = std::abs(p.dot(prism.axis)) - prism.half_height;
  for (std::size_t i = 0; i < prism.sides; ++i) {
    const Vector3 along = prism.corners[(i + 1) % prism.sides] - prism.corners[i];
    most = std::max(most, along.cross(prism.axis).normalized().dot(p - prism.corners[i]));
  }
  return most;
}

TEST(PrismContact, ADiscOnALargerOneTouchesItInFourPointsOfItsRim) {
  const Prism below = prism_at({}, 0.03, 0.02, 16);
  const Prism above = prism_at({.position = {0.002, 0.001, 0.01999}}, 0.02, 0.02, 16);
  const auto found = touch_by_faces(below, above);
  ASSERT_TRUE(found);
  EXPECT_LT((found->normal - Vector3::UnitZ()).norm(), 1e-12);
  ASSERT_EQ(found->count, 4U);
  Vector3 middle = Vector3::Zero();
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(found->points[i].distance, -1e-5, 1e-12);
    EXPECT_NEAR(found->points[i].place.z(), 0.01 - 5e-6, 1e-12);
    EXPECT_NEAR((found->points[i].place - above.middle).head<2>().norm(), 0.02, 1e-9);
    middle += 0.25 * found->points[i].place;
  }
  EXPECT_LT((middle - above.middle).head<2>().norm(), 1e-9) << "they stand around its middle";
  // the other way round it is the same contact, turned round
  const auto back = touch_by_faces(above, below);
  ASSERT_TRUE(back);
  EXPECT_LT((back->normal + Vector3::UnitZ()).norm(), 1e-12);
  EXPECT_EQ(back->count, 4U);
}

TEST(PrismContact, WhatIsApartDoesNotTouch) {
  const Prism below = prism_at({}, 0.03, 0.02, 16);
  for (const Vector3& place : {Vector3(0, 0, 0.0201), Vector3(0.06, 0, 0), Vector3(0, -0.0601, 0.005)}) {
    const auto found = touch_by_faces(below, prism_at({.position = place}, 0.03, 0.02, 16));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->count, 0U) << place.transpose();
  }
}

TEST(PrismContact, ADiscThatHangsOverTheEdgeTouchesAsFarAsTheEdge) {
  const Prism below = prism_at({}, 0.03, 0.02, 4);
  const Prism above = prism_at({.position = {0.03, 0, 0.01999}}, 0.02, 0.02, 16);
  const auto found = touch_by_faces(below, above);
  ASSERT_TRUE(found);
  ASSERT_GE(found->count, 3U);
  for (std::size_t i = 0; i < found->count; ++i) EXPECT_LT(outside(below, found->points[i].place), 1e-9);
}

// wherever a disc tips to, it is borne by the corner that is lowest
TEST(PrismContact, ADiscThatTipsIsBorneByItsDeepestCorner) {
  const Prism below = prism_at({}, 0.05, 0.02, 4);
  for (int i = 0; i < 32; ++i) {
    const double heading = 2.0 * std::numbers::pi * i / 32.0;
    const Quaternion tilt =
        quaternion_from_rotation_vector(0.002 * Vector3(std::cos(heading), std::sin(heading), 0));
    const Prism above = prism_at({.rotation = tilt, .position = {0, 0, 0.02}}, 0.02, 0.02, 16);
    const auto found = touch_by_faces(below, above);
    ASSERT_TRUE(found) << i;
    double deepest = 0.0;
    for (std::size_t k = 0; k < found->count; ++k) deepest = std::min(deepest, found->points[k].distance);
    double lowest = 0.0;
    for (const Vector3& corner : above.corners)
      lowest = std::min(lowest, (above.middle + corner - 0.01 * above.axis).z() - 0.01);
    EXPECT_NEAR(deepest, lowest, 3e-6) << i;
  }
}

TEST(PrismContact, ADiscStandsOnTheGroundOnItsRimAndLiesOnOneOfItsSides) {
  const Vector3 up = Vector3::UnitZ();
  const PrismContact stands =
      touch_ground(Vector3::Zero(), up, prism_at({.position = {1, 2, 0.00999}}, 0.02, 0.02, 16));
  ASSERT_EQ(stands.count, 4U);
  Vector3 middle = Vector3::Zero();
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(stands.points[i].distance, -1e-5, 1e-12);
    middle += 0.25 * stands.points[i].place;
  }
  EXPECT_LT((middle - Vector3(1, 2, -5e-6)).norm(), 1e-9);
  const Quaternion on_its_side =
      quaternion_from({.roll = 0.5 * std::numbers::pi}) * quaternion_from({.yaw = std::numbers::pi / 16.0});
  const double height = 0.02 * std::cos(std::numbers::pi / 16.0) - 1e-5;
  const PrismContact lies = touch_ground(
      Vector3::Zero(), up, prism_at({.rotation = on_its_side, .position = {0, 0, height}}, 0.02, 0.02, 16));
  EXPECT_EQ(lies.count, 4U);
  EXPECT_EQ(touch_ground(Vector3::Zero(), up, prism_at({.position = {0, 0, 0.0101}}, 0.02, 0.02, 16)).count,
            0U);
}

TEST(PrismContact, EveryPointIsInBothOrBetweenThem) {
  Draws draws(5);
  int touching = 0;
  int other_manner = 0;
  for (int i = 0; i < 20000; ++i) {
    const bool is_flat = i % 2 == 0;
    const double tilt = is_flat ? 0.02 : 3.0;
    const Quaternion rotation = quaternion_from({.roll = draws.between(-tilt, tilt),
                                                 .pitch = draws.between(-tilt, tilt),
                                                 .yaw = draws.between(-3.0, 3.0)});
    const Prism a = prism_at({}, 0.03, 0.02, i % 3 == 0 ? 4 : 16);
    const Vector3 place(draws.between(-0.06, 0.06), draws.between(-0.06, 0.06),
                        is_flat ? draws.between(0.016, 0.019) : draws.between(-0.04, 0.04));
    const Prism b = prism_at({.rotation = rotation, .position = place}, 0.02, 0.02, 16);
    const auto found = touch_by_faces(a, b);
    other_manner += found ? 0 : 1;
    if (!found || found->count == 0) continue;
    ++touching;
    EXPECT_NEAR(found->normal.norm(), 1.0, 1e-12);
    for (std::size_t k = 0; k < found->count; ++k) {
      const double depth = -found->points[k].distance;
      ASSERT_GE(depth, 0.0);
      EXPECT_LT(outside(a, found->points[k].place), 0.51 * depth + 1e-9) << i;
      EXPECT_LT(outside(b, found->points[k].place), 0.51 * depth + 1e-9) << i;
      // and apart by as much along the normal, they would not touch there
      EXPECT_GT(outside(a, found->points[k].place + (0.51 * depth + 1e-9) * found->normal), 0.0) << i;
    }
  }
  EXPECT_GT(touching, 1000);
  EXPECT_GT(other_manner, 100);
}

}  // namespace
}  // namespace sinew
