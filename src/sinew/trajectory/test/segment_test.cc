// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/trajectory/segment.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "sinew/trajectory/test/random_motion.h"

namespace sinew {
namespace {

constexpr std::int64_t kSecond_ns = 1'000'000'000;

AxisState some_state(RandomMotion& random) {
  return {random.uniform(-1.0, 1.0), random.uniform(-2.0, 2.0), random.uniform(-5.0, 5.0)};
}

SegmentTime some_time(RandomMotion& random) {
  return {.start_ns = static_cast<std::int64_t>(random.uniform(0.0, 1e15)),
          .duration_ns = static_cast<std::int64_t>(random.scale(1e6, 1e11))};
}

void expect_state(const AxisState& a, const AxisState& b, double tolerance) {
  ASSERT_NEAR(a.position, b.position, tolerance);
  ASSERT_NEAR(a.velocity, b.velocity, tolerance);
  ASSERT_NEAR(a.acceleration, b.acceleration, tolerance);
}

TEST(SegmentTest, BeginsAndEndsAsTold) {
  RandomMotion random(1);
  for (int i = 0; i < 100000; ++i) {
    const AxisState from = some_state(random);
    const AxisState to = some_state(random);
    SegmentTime time = some_time(random);
    time.duration_ns = std::clamp<std::int64_t>(time.duration_ns, kSecond_ns / 10, 10 * kSecond_ns);
    const std::int64_t end_ns = time.start_ns + time.duration_ns;
    const PolynomialSegment quintic = quintic_segment(time, from, to);
    ASSERT_NO_FATAL_FAILURE(expect_state(evaluate(quintic, time.start_ns), from, 0.0));
    ASSERT_NO_FATAL_FAILURE(expect_state(evaluate(quintic, end_ns), to, 1e-10));
    const PolynomialSegment cubic = cubic_segment(time, from, to);
    const AxisState end = evaluate(cubic, end_ns);
    ASSERT_NEAR(end.position, to.position, 1e-11);
    ASSERT_NEAR(end.velocity, to.velocity, 1e-11);
    ASSERT_EQ(evaluate(cubic, end_ns + kSecond_ns), end);
    ASSERT_EQ(evaluate(cubic, time.start_ns - 1).position, from.position);
  }
}

TEST(SegmentTest, ContainsItsSpan) {
  const PolynomialSegment segment{.time = {.start_ns = 5, .duration_ns = 10}};
  EXPECT_FALSE(contains(segment, 4));
  EXPECT_TRUE(contains(segment, 5));
  EXPECT_TRUE(contains(segment, 15));
  EXPECT_FALSE(contains(segment, 16));
  EXPECT_FALSE(contains(segment, std::numeric_limits<std::int64_t>::min()));
  EXPECT_FALSE(contains(segment, std::numeric_limits<std::int64_t>::max()));
}

double jerk_at(const PolynomialSegment& s, double t) {
  return 6.0 * s.coefficient[3] + t * (24.0 * s.coefficient[4] + 60.0 * t * s.coefficient[5]);
}

// the largest of each derivative, by many samples: never more than the extremum, and not much less
struct Sampled {
  double lowest = 1e300, highest = -1e300, velocity = 0, acceleration = 0, jerk = 0;
};

Sampled sample(const PolynomialSegment& segment, int count) {
  Sampled s;
  for (int k = 0; k <= count; ++k) {
    const std::int64_t since_ns = segment.time.duration_ns * k / count;
    const AxisState state = evaluate(segment, segment.time.start_ns + since_ns);
    s.lowest = std::min(s.lowest, state.position);
    s.highest = std::max(s.highest, state.position);
    s.velocity = std::max(s.velocity, std::abs(state.velocity));
    s.acceleration = std::max(s.acceleration, std::abs(state.acceleration));
    s.jerk = std::max(s.jerk, std::abs(jerk_at(segment, static_cast<double>(since_ns) * 1e-9)));
  }
  return s;
}

TEST(SegmentTest, FindsWhatSamplesFindAndNoMore) {
  RandomMotion random(2);
  for (int i = 0; i < 20000; ++i) {
    const SegmentTime time{.start_ns = 7, .duration_ns = static_cast<std::int64_t>(random.scale(1e8, 1e10))};
    const PolynomialSegment segment = random.chance(0.5)
                                          ? quintic_segment(time, some_state(random), some_state(random))
                                          : cubic_segment(time, some_state(random), some_state(random));
    const Sampled s = sample(segment, 200);
    // a parabola through an extremum falls by at most 1/8·(1/200)²·|second derivative|, which 2 % of the
    // range covers
    const double range = s.highest - s.lowest;
    const AxisLimits wide{.lower = s.lowest - 0.02 * range,
                          .upper = s.highest + 0.02 * range,
                          .velocity = 1.02 * s.velocity,
                          .acceleration = 1.02 * s.acceleration,
                          .jerk = 1.02 * s.jerk};
    ASSERT_EQ(check_segment(segment, wide).fault, SegmentFault::None) << i;
    for (int fault = 0; fault < 5; ++fault) {
      AxisLimits narrow = wide;
      if (fault == 0) narrow.lower = s.lowest + 0.001 * range;
      if (fault == 1) narrow.upper = s.highest - 0.001 * range;
      if (fault == 2) narrow.velocity = 0.999 * s.velocity;
      if (fault == 3) narrow.acceleration = 0.999 * s.acceleration;
      if (fault == 4) narrow.jerk = 0.999 * s.jerk;
      const SegmentFault expected[] = {SegmentFault::Position, SegmentFault::Position, SegmentFault::Velocity,
                                       SegmentFault::Acceleration, SegmentFault::Jerk};
      ASSERT_EQ(check_segment(segment, narrow).fault, expected[fault]) << i << " " << fault;
    }
  }
}

// what a sample every 10 ms would miss
TEST(SegmentTest, SeesAPeakBetweenSamples) {
  const SegmentTime time{.start_ns = 0, .duration_ns = kSecond_ns};
  // from rest to rest, velocity peaks at 15/8 in the very middle, the acceleration at 10/sqrt(3)
  const PolynomialSegment segment = quintic_segment(time, {}, {.position = 1.0});
  const double peak = 10.0 / std::sqrt(3.0);
  const AxisLimits fitting{.velocity = 1.875, .acceleration = peak, .jerk = 60.0};
  EXPECT_EQ(check_segment(segment, fitting).fault, SegmentFault::None);
  AxisLimits tight = fitting;
  tight.velocity *= 1.0 - 1e-8;
  const SegmentCheck fast = check_segment(segment, tight);
  EXPECT_EQ(fast.fault, SegmentFault::Velocity);
  EXPECT_NEAR(fast.value, 1.875, 1e-12);
  EXPECT_NEAR(fast.time, 0.5, 1e-9);
  tight = fitting;
  tight.acceleration *= 1.0 - 1e-8;
  EXPECT_EQ(check_segment(segment, tight).fault, SegmentFault::Acceleration);
}

TEST(SegmentTest, RefusesWhatIsNoSegment) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  PolynomialSegment segment{.time = {.start_ns = 0, .duration_ns = kSecond_ns}};
  EXPECT_EQ(check_segment(segment, {}).fault, SegmentFault::None);
  EXPECT_EQ(check_segment(segment, {.jerk = nan}).fault, SegmentFault::NotUsable);
  for (std::size_t k = 0; k < 6; ++k) {
    for (const double bad : {nan, std::numeric_limits<double>::infinity(), -1e300}) {
      PolynomialSegment broken = segment;
      broken.coefficient[k] = bad;
      EXPECT_EQ(check_segment(broken, {}).fault, SegmentFault::NotUsable);
    }
  }
  for (const std::int64_t duration_ns :
       {std::int64_t{0}, std::int64_t{-1}, std::numeric_limits<std::int64_t>::max()}) {
    segment.time.duration_ns = duration_ns;
    EXPECT_EQ(check_segment(segment, {}).fault, SegmentFault::NoDuration);
  }
}

TEST(SegmentTest, SaysInWordsWhatIsWrong) {
  const SegmentTime time{.start_ns = 0, .duration_ns = kSecond_ns};
  const PolynomialSegment segment = quintic_segment(time, {}, {.position = 1.0});
  const AxisLimits slow{.velocity = 1.5, .acceleration = 10.0, .jerk = 100.0};
  EXPECT_TRUE(segment_status(check_segment(segment, {.velocity = 2.0}), "elbow"));
  const Status refused = segment_status(check_segment(segment, slow), "elbow");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "joint 'elbow': velocity 1.875 rad/s or m/s at 0.5 s of the segment passes its limit 1.5; take "
            "more time or "
            "another way");
  const Status empty = segment_status(check_segment({}, slow), "elbow");
  ASSERT_FALSE(empty);
  EXPECT_EQ(empty.error().message,
            "joint 'elbow': a segment of 0 s: it must last more than 0 and at most 86400 s");
}

}  // namespace
}  // namespace sinew
