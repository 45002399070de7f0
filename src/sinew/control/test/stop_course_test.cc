// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/control/stop_course.h"

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "sinew/trajectory/jerk_limited.h"

namespace sinew {
namespace {

constexpr int kCases = 3000;
constexpr int kSamples = 200;

/// Stops from drawn states, some of them near a limit so that they must ease off, some beyond the limits.
class StopCourseTest : public testing::Test {
 protected:
  double draw(double lowest, double highest) {
    return std::uniform_real_distribution<double>(lowest, highest)(random_);
  }
  AxisProfile draw_stop() {
    const AxisLimits limits{.lower = -1.0,
                            .upper = 1.0,
                            .velocity = draw(0.1, 3.0),
                            .acceleration = draw(0.5, 20.0),
                            .jerk = draw(2.0, 300.0)};
    return plan_stop({.position = draw(-1.0, 1.0),
                      .velocity = draw(-1.2, 1.2) * limits.velocity,
                      .acceleration = draw(-1.2, 1.2) * limits.acceleration},
                     limits);
  }
  static StopCourse course_of(const AxisProfile& stop) {
    StopCourse course;
    course.set(stop);
    return course;
  }

  std::mt19937_64 random_{20};
};

TEST_F(StopCourseTest, GoesAsTheMotionThatItIsMadeOf) {
  for (int n = 0; n < kCases; ++n) {
    const AxisProfile stop = draw_stop();
    const StopCourse course = course_of(stop);
    EXPECT_EQ(course.duration(), stop.duration());
    for (int k = 0; k <= kSamples; ++k) {
      const double time = 1.1 * stop.duration() * k / kSamples;
      ASSERT_EQ(course.position_at(time), stop.position_at(time)) << n << " at " << time;
    }
  }
}

TEST_F(StopCourseTest, WhatTurnsRoundIsSaidToTurn) {
  int turning = 0;
  int steady = 0;
  for (int n = 0; n < kCases; ++n) {
    const AxisProfile stop = draw_stop();
    double lowest = 0.0;
    double highest = 0.0;
    for (int k = 0; k <= kSamples; ++k) {
      const double velocity = stop.at(stop.duration() * k / kSamples).velocity;
      lowest = std::min(lowest, velocity);
      highest = std::max(highest, velocity);
    }
    const bool is_seen_turning = lowest < -1e-9 && highest > 1e-9;
    const bool turns = course_of(stop).turns();
    ASSERT_TRUE(turns || !is_seen_turning) << n;
    (turns ? turning : steady) += 1;
  }
  // neither answer is the only one
  EXPECT_GT(turning, kCases / 20);
  EXPECT_GT(steady, kCases / 4);
}

TEST_F(StopCourseTest, NoAccelerationBetweenTwoTimesIsLarger) {
  for (int n = 0; n < kCases; ++n) {
    const AxisProfile stop = draw_stop();
    const double begin = draw(0.0, 1.2) * stop.duration();
    const double end = begin + draw(0.0, 0.5) * stop.duration();
    const double largest = course_of(stop).largest_acceleration(begin, end);
    for (int k = 0; k <= kSamples; ++k)
      ASSERT_LE(std::abs(stop.at(begin + (end - begin) * k / kSamples).acceleration), largest + 1e-9) << n;
  }
}

TEST_F(StopCourseTest, TwoAreNeverFurtherApartThanTheirBound) {
  for (int n = 0; n < kCases; ++n) {
    const AxisProfile a = draw_stop();
    const AxisProfile b = n % 5 == 0 ? a : draw_stop();
    const double begin = draw(0.0, 1.2) * a.duration();
    const double most = most_apart(course_of(a), begin, course_of(b));
    const double longest = std::max(a.duration() - begin, b.duration());
    double seen = 0.0;
    for (int k = 0; k <= kSamples; ++k) {
      const double time = 1.05 * longest * k / kSamples;
      seen = std::max(seen, std::abs(a.position_at(begin + time) - b.position_at(time)));
    }
    ASSERT_LE(seen, most + 1e-12) << n;
  }
}

TEST_F(StopCourseTest, WhoBrakesAsPlannedIsNowhereElse) {
  for (int n = 0; n < kCases; ++n) {
    const AxisProfile stop = draw_stop();
    EXPECT_LT(most_apart(course_of(stop), 0.0, course_of(stop)), 1e-12) << n;
  }
}

TEST_F(StopCourseTest, WhatRestsStays) {
  StopCourse course;
  course.rest_at(0.25);
  EXPECT_EQ(course.duration(), 0.0);
  EXPECT_EQ(course.position_at(0.0), 0.25);
  EXPECT_FALSE(course.turns());
  EXPECT_EQ(most_apart(course, 0.5, course), 0.0);
}

}  // namespace
}  // namespace sinew
