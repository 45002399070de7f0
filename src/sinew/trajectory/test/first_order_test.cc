// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/trajectory/first_order.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "sinew/trajectory/test/random_motion.h"

namespace sinew {
namespace {

const AxisLimits kWide{.velocity = 1e6};

TEST(FirstOrderFilterTest, IsTheFilterOfMdsAchAtItsOwnRate) {
  const double length = 40.0;
  FirstOrderFilter filter(FirstOrderFilter::time_constant_of(length, 0.1), -0.3);
  double seed = -0.3;
  for (int cycle = 0; cycle < 400; ++cycle) {
    seed = (seed * (length - 1.0) + 0.5) / length;
    ASSERT_NEAR(filter.step(0.5, 0.1, kWide), seed, 1e-13);
  }
  // what that filter really does: 63.7 % after 4 s at 10 Hz
  FirstOrderFilter from_zero(FirstOrderFilter::time_constant_of(length, 0.1));
  for (int cycle = 0; cycle < 40; ++cycle) from_zero.step(1.0, 0.1, kWide);
  EXPECT_NEAR(from_zero.position(), 0.637, 0.001);
}

TEST(FirstOrderFilterTest, DoesNotDependOnTheRate) {
  RandomMotion random(1);
  for (int i = 0; i < 1000; ++i) {
    const double tau = random.scale(1e-3, 10.0);
    const double wanted = random.uniform(-1.0, 1.0);
    FirstOrderFilter fast(tau);
    FirstOrderFilter slow(tau);
    for (int k = 0; k < 100; ++k) fast.step(wanted, 1e-3, kWide);
    slow.step(wanted, 0.1, kWide);
    ASSERT_NEAR(fast.position(), slow.position(), 1e-13);
    ASSERT_NEAR(slow.position(), wanted * (1.0 - std::exp(-0.1 / tau)), 1e-14);
  }
}

TEST(FirstOrderFilterTest, KeepsPositionAndVelocityLimits) {
  RandomMotion random(2);
  for (int i = 0; i < 100000; ++i) {
    const AxisLimits limits = random.usual_limits();
    const double begin = random.uniform(limits.lower, limits.upper);
    FirstOrderFilter filter(random.scale(1e-4, 10.0), begin);
    CompliantFilter compliant(random.uniform(0.0, 1.0), begin);
    const double dt = random.scale(1e-4, 0.1);
    for (int k = 0; k < 4; ++k) {
      for (const bool first : {true, false}) {
        const double last = first ? filter.position() : compliant.position();
        const double wanted = random.uniform(-5.0, 5.0);
        const double next = first ? filter.step(wanted, dt, limits)
                                  : compliant.step(random.uniform(-5.0, 5.0), wanted, dt, limits);
        ASSERT_LE(std::abs(next - last), limits.velocity * dt * (1.0 + 1e-9) + 1e-15);
        ASSERT_GE(next, limits.lower);
        ASSERT_LE(next, limits.upper);
      }
    }
  }
}

TEST(FirstOrderFilterTest, ComesBackIntoItsRangeAtLimitedVelocity) {
  FirstOrderFilter filter(0.01, 3.0);
  const AxisLimits limits{.lower = -1.0, .upper = 1.0, .velocity = 1.0};
  EXPECT_NEAR(filter.step(0.0, 0.5, limits), 2.5, 1e-15);
  for (int k = 0; k < 4; ++k) filter.step(0.0, 0.5, limits);
  EXPECT_LE(filter.position(), 1.0);
}

TEST(FirstOrderFilterTest, HoldsWhenTheInputIsNoNumber) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  FirstOrderFilter filter(0.1, 0.25);
  CompliantFilter compliant(0.1, 0.25);
  for (const double bad : {nan, std::numeric_limits<double>::infinity(), 1e300}) {
    EXPECT_EQ(filter.step(bad, 1e-3, kWide), 0.25);
    EXPECT_EQ(filter.step(1.0, bad, kWide), 0.25);
    EXPECT_EQ(compliant.step(bad, 1.0, 1e-3, kWide), 0.25);
    EXPECT_EQ(compliant.step(0.0, bad, 1e-3, kWide), 0.25);
    EXPECT_FALSE(filter.reset(bad));
    EXPECT_FALSE(compliant.reset(bad));
  }
  EXPECT_EQ(filter.step(1.0, 1e-3, {.velocity = nan}), 0.25);
  EXPECT_EQ(FirstOrderFilter(nan).step(1.0, 1.0, kWide), 1.0);
}

TEST(FirstOrderFilterTest, LengthOneFollowsAtOnce) {
  FirstOrderFilter filter(FirstOrderFilter::time_constant_of(1.0, 0.1));
  EXPECT_EQ(filter.step(0.7, 1e-3, kWide), 0.7);
}

// the servo's push is what it would be, times the ratio, at any rate
TEST(CompliantFilterTest, ScalesThePushOfTheServo) {
  RandomMotion random(3);
  for (int i = 0; i < 1000; ++i) {
    const double ratio = random.uniform(0.0, 1.0);
    const double measured = random.uniform(-1.0, 1.0);
    const double wanted = random.uniform(-1.0, 1.0);
    for (const double dt : {0.1, 1e-3}) {
      CompliantFilter filter(ratio);
      ASSERT_NEAR(filter.step(measured, wanted, dt, kWide) - measured, ratio * (wanted - measured), 1e-15);
    }
  }
  EXPECT_EQ(CompliantFilter(std::numeric_limits<double>::quiet_NaN()).step(0.5, 1.0, 1.0, kWide), 0.5);
}

}  // namespace
}  // namespace sinew
