// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/spatial/pose.h"

#include <algorithm>
#include <limits>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

#include "sinew/spatial/twist.h"

namespace sinew {
namespace {

constexpr double kPi = std::numbers::pi;

class PoseTest : public testing::Test {
 protected:
  double number(double lower, double upper) {
    return std::uniform_real_distribution<>(lower, upper)(random_);
  }
  Vector3 vector() { return {number(-2, 2), number(-2, 2), number(-2, 2)}; }
  Pose pose() {
    std::normal_distribution<> normal;
    const Quaternion rotation(normal(random_), normal(random_), normal(random_), normal(random_));
    return {.rotation = rotation.normalized(), .position = vector()};
  }

  std::mt19937_64 random_{7};
};

TEST_F(PoseTest, NeighboursCancel) {
  for (int i = 0; i < 1000; ++i) {
    const Pose X_AB = pose();
    const Pose X_BC = pose();
    const Vector3 p_CQ = vector();
    EXPECT_LT(((X_AB * X_BC) * p_CQ - X_AB * (X_BC * p_CQ)).norm(), 1e-12);
    const PoseDistance from_identity = distance(inverse(X_AB) * X_AB, Pose{});
    EXPECT_LT(from_identity.position, 1e-12);
    EXPECT_LT(from_identity.rotation, 1e-12);
  }
}

TEST_F(PoseTest, RollPitchYawRoundTrips) {
  for (int i = 0; i < 1000; ++i) {
    const Quaternion R = pose().rotation;
    EXPECT_LT(R.angularDistance(quaternion_from(roll_pitch_yaw(R))), 1e-9);
  }
  for (const double pitch : {kPi / 2, -kPi / 2}) {
    const Quaternion R = quaternion_from({.roll = 0.3, .pitch = pitch, .yaw = -1.1});
    EXPECT_EQ(roll_pitch_yaw(R).roll, 0.0);
    EXPECT_LT(R.angularDistance(quaternion_from(roll_pitch_yaw(R))), 1e-7);
  }
}

// by hand: yaw of a quarter turn puts x onto y, and R = Rz·Ry·Rx
TEST_F(PoseTest, RollPitchYawIsThatOfUrdf) {
  const Quaternion R = quaternion_from({.roll = kPi / 2, .pitch = 0.0, .yaw = kPi / 2});
  EXPECT_LT((R * Vector3::UnitX() - Vector3::UnitY()).norm(), 1e-12);
  EXPECT_LT((R * Vector3::UnitY() - Vector3::UnitZ()).norm(), 1e-12);
  EXPECT_LT((R * Vector3::UnitZ() - Vector3::UnitX()).norm(), 1e-12);
}

TEST_F(PoseTest, RotationVectorRoundTripsFromNoTurnToHalfATurn) {
  for (const double angle : {0.0, 1e-15, 1e-9, 1e-4, 1.0, 3.0, kPi - 1e-9, kPi}) {
    for (int i = 0; i < 100; ++i) {
      const Vector3 wanted = angle * vector().normalized();
      const Vector3 got = rotation_vector(quaternion_from_rotation_vector(wanted));
      EXPECT_NEAR(got.norm(), angle, 1e-9);
      // half a turn about an axis is half a turn about its opposite
      const double difference = std::min((got - wanted).norm(), (got + wanted).norm());
      EXPECT_LT(angle < kPi - 1e-6 ? (got - wanted).norm() : difference, 1e-8);
    }
  }
}

TEST_F(PoseTest, InterpolationIsEvenAndEndsWhereItShould) {
  for (int i = 0; i < 200; ++i) {
    const Pose X_AB = pose();
    const Pose X_AC = pose();
    const PoseDistance whole = distance(X_AB, X_AC);
    const double s = number(0, 1);
    const PoseDistance part = distance(X_AB, interpolate(X_AB, X_AC, s));
    EXPECT_NEAR(part.position, s * whole.position, 1e-9);
    EXPECT_NEAR(part.rotation, s * whole.rotation, 1e-7);
    EXPECT_LT(distance(interpolate(X_AB, X_AC, 1.0), X_AC).rotation, 1e-7);
  }
}

TEST_F(PoseTest, NotANumberIsNoPose) {
  Pose X_AB = pose();
  EXPECT_TRUE(is_valid(X_AB));
  X_AB.position.y() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(is_valid(X_AB));
  Pose stretched;
  stretched.rotation.w() = 1.1;
  EXPECT_FALSE(is_valid(stretched));
}

// power does not depend on the point at which force and velocity are stated
TEST_F(PoseTest, ShiftingWrenchAndTwistKeepsThePower) {
  for (int i = 0; i < 200; ++i) {
    const Twist V_AB{.linear = vector(), .angular = vector()};
    const Wrench F_B_A{.force = vector(), .moment = vector()};
    const Vector3 p_BC_A = vector();
    const double there = power(shifted(F_B_A, Vector3(-p_BC_A)), shifted(V_AB, p_BC_A));
    EXPECT_NEAR(power(F_B_A, V_AB), there, 1e-9);
  }
}

}  // namespace
}  // namespace sinew
