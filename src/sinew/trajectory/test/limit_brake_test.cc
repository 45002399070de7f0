// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/trajectory/limit_brake.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "sinew/trajectory/test/random_motion.h"

namespace sinew {
namespace {

constexpr int kBrakeCases = 20000;
constexpr double kBrakeSlack = 1.0 + 2e-9;

std::string told_of(const AxisState& from, const AxisLimits& limits) {
  std::ostringstream out;
  out << std::setprecision(17) << "from " << from.velocity << " " << from.acceleration << " limits "
      << limits.velocity << " " << limits.acceleration << " " << limits.jerk;
  return out.str();
}

// within the limits, and able to stay there
bool is_inside(const AxisState& state, const AxisLimits& limits) {
  const double soon =
      state.velocity + state.acceleration * std::abs(state.acceleration) / (2.0 * limits.jerk);
  return std::abs(state.acceleration) <= limits.acceleration * kBrakeSlack &&
         std::max(std::abs(state.velocity), std::abs(soon)) <= limits.velocity * kBrakeSlack;
}

TEST(LimitBrakeTest, EndsWithinTheLimitsWhereTheStepsLead) {
  RandomMotion random(1);
  for (int i = 0; i < kBrakeCases; ++i) {
    const AxisLimits limits = random.chance(0.5) ? random.usual_limits() : random.wild_limits();
    const AxisState from = random.state(limits, random.scale(0.5, 30.0));
    const LimitBrake brake = brake_into_limits(from, limits);
    ASSERT_TRUE(is_inside(brake.end, limits)) << told_of(from, limits);
    ASSERT_EQ(brake.steps.empty(), is_inside(from, limits)) << told_of(from, limits);
    AxisState state = from;
    double fastest = std::abs(from.velocity);
    double most = std::abs(from.acceleration);
    double time = 0.0;
    for (const LimitBrake::Step& step : brake.steps) {
      ASSERT_LE(std::abs(step.jerk), limits.jerk) << told_of(from, limits);
      state = advance(state, step.jerk, step.time);
      time += step.time;
      fastest = std::max(fastest, std::abs(state.velocity));
      most = std::max(most, std::abs(state.acceleration));
    }
    ASSERT_NEAR(time, brake.duration, 1e-12 * time);
    ASSERT_NEAR(state.position, brake.end.position, 1e-9 * (1.0 + std::abs(from.position) + fastest * time))
        << told_of(from, limits);
    ASSERT_NEAR(state.velocity, brake.end.velocity, 1e-9 * (fastest + most * time)) << told_of(from, limits);
    ASSERT_NEAR(state.acceleration, brake.end.acceleration, 1e-9 * most) << told_of(from, limits);
  }
}

// the acceleration beyond its limit only falls, and as fast as it may
TEST(LimitBrakeTest, TheAccelerationComesBackFirst) {
  RandomMotion random(2);
  for (int i = 0; i < kBrakeCases; ++i) {
    const AxisLimits limits = random.usual_limits();
    const AxisState from = random.state(limits, random.scale(0.5, 30.0));
    const LimitBrake brake = brake_into_limits(from, limits);
    const double beyond = std::abs(from.acceleration) - limits.acceleration;
    AxisState state = from;
    double time = 0.0;
    for (const LimitBrake::Step& step : brake.steps) {
      for (int k = 0; k <= 20; ++k) {
        const double at = time + step.time * k / 20.0;
        const double acceleration = std::abs(advance(state, step.jerk, step.time * k / 20.0).acceleration);
        const double allowed = limits.acceleration + std::max(0.0, beyond - limits.jerk * at);
        ASSERT_LE(acceleration, allowed * kBrakeSlack + 1e-9) << told_of(from, limits);
      }
      state = advance(state, step.jerk, step.time);
      time += step.time;
    }
  }
}

// The velocity goes beyond its limit no further than the acceleration, falling as fast as it may, takes it.
TEST(LimitBrakeTest, GoesNoFurtherOutThanItMust) {
  RandomMotion random(3);
  for (int i = 0; i < kBrakeCases; ++i) {
    const AxisLimits limits = random.usual_limits();
    const AxisState from = random.state(limits, random.scale(0.5, 30.0));
    const double soon = from.velocity + from.acceleration * std::abs(from.acceleration) / (2.0 * limits.jerk);
    const double highest = std::max({limits.velocity, from.velocity, soon});
    const double lowest = std::min({-limits.velocity, from.velocity, soon});
    AxisState state = from;
    for (const LimitBrake::Step& step : brake_into_limits(from, limits).steps) {
      for (int k = 0; k <= 50; ++k) {
        const AxisState at = advance(state, step.jerk, step.time * k / 50.0);
        ASSERT_LE(at.velocity, highest + 1e-9 * (highest - lowest)) << told_of(from, limits);
        ASSERT_GE(at.velocity, lowest - 1e-9 * (highest - lowest)) << told_of(from, limits);
      }
      state = advance(state, step.jerk, step.time);
    }
  }
}

// no steps of drawn jerk, kept within the limit of acceleration, are inside sooner
TEST(LimitBrakeTest, NoOtherWayBackIsFaster) {
  RandomMotion random(4);
  int tried = 0;
  for (int i = 0; i < 2000; ++i) {
    const AxisLimits limits = random.usual_limits();
    AxisState from = random.state(limits, random.scale(1.0, 10.0));
    from.acceleration = std::clamp(from.acceleration, -limits.acceleration, limits.acceleration);
    const LimitBrake brake = brake_into_limits(from, limits);
    if (brake.steps.empty()) continue;
    for (int other = 0; other < 50; ++other) {
      AxisState state = from;
      const double step = brake.duration / 40.0;
      double jerk = 0.0;
      double left = 0.0;
      for (double time = 0.0; time < 0.97 * brake.duration; time += step) {
        if (!(left > 0.0)) {
          jerk = (random.chance(0.3)   ? 0.0
                  : random.chance(0.7) ? -1.0
                                       : 1.0) *
                 std::copysign(limits.jerk, from.velocity);
          left = random.uniform(0.0, brake.duration);
        }
        left -= step;
        const double room = limits.acceleration - std::copysign(1.0, jerk) * state.acceleration;
        state = advance(state, std::copysign(std::min(std::abs(jerk), room / step), jerk), step);
        ++tried;
        ASSERT_FALSE(is_inside(state, limits)) << told_of(from, limits);
      }
    }
  }
  EXPECT_GT(tried, 100'000);
}

}  // namespace
}  // namespace sinew
