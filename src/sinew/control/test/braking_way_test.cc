// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/control/braking_way.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "sinew/trajectory/jerk_limited.h"

namespace sinew {
namespace {

constexpr double kStep = 1e-3;
constexpr std::size_t kJoints = 5;
constexpr AxisLimits kLimits{.lower = -3.0, .upper = 3.0, .velocity = 2.0, .acceleration = 8.0, .jerk = 80.0};

class BrakingWayTest : public testing::Test {
 protected:
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }

  // some joints stand, some move, some turn round while they brake
  void draw_states() {
    for (std::size_t i = 0; i < kJoints; ++i) {
      next_[i] = {.position = uniform(-1.0, 1.0)};
      from_[i] = next_[i].position;
      if (random_() % 4 == 0) continue;
      next_[i].velocity = random_() % 3 == 0 ? uniform(-0.05, 0.05) : uniform(-1.9, 1.9);
      next_[i].acceleration = uniform(-7.9, 7.9);
      from_[i] = next_[i].position - kStep * next_[i].velocity;
    }
  }

  // as a controller would go on: a little acceleration more or less
  void go_on() {
    for (std::size_t i = 0; i < kJoints; ++i) {
      from_[i] = next_[i].position;
      if (next_[i].velocity == 0.0 && random_() % 8 != 0) continue;
      const double jerk = uniform(-80.0, 80.0);
      next_[i] = advance(next_[i], jerk, kStep);
      next_[i].velocity = std::clamp(next_[i].velocity, -1.9, 1.9);
      next_[i].acceleration = std::clamp(next_[i].acceleration, -7.9, 7.9);
    }
  }

  void plan(BrakingWay& way) { way.plan(from_, next_, limits_, kStep); }

  std::mt19937_64 random_{17};
  std::array<AxisLimits, kJoints> limits_{kLimits, kLimits, kLimits, kLimits, kLimits};
  std::array<double, kJoints> from_{};
  std::array<AxisState, kJoints> next_{};
};

TEST_F(BrakingWayTest, EveryPartStaysWithinItsSpreadAndOnItsCourse) {
  BrakingWay way;
  for (int turn = 0; turn < 500; ++turn) {
    draw_states();
    plan(way);
    const double a = uniform(0.0, way.duration());
    const double b = random_() % 3 == 0 ? 0.0 : uniform(0.0, way.duration());
    const auto [begin, end] = std::minmax(a, b);
    std::array<double, kJoints> middle{};
    std::array<double, kJoints> spread{};
    std::array<Course, kJoints> courses{};
    way.sample(begin, end, 0b11111, {.middle = middle, .spread = spread, .courses = courses});
    for (int k = -100; k <= 100; ++k) {
      const double u = k / 100.0;
      std::array<double, kJoints> q{};
      way.place(0.5 * (begin + end) + 0.5 * (end - begin) * u, q);
      for (std::size_t i = 0; i < kJoints; ++i) {
        ASSERT_LE(std::abs(q[i] - middle[i]), spread[i] + 1e-12) << turn << " joint " << i;
        const double on_course = middle[i] + courses[i].chord * u + courses[i].bow * u * u;
        ASSERT_LE(std::abs(q[i] - on_course), courses[i].rest + 1e-12) << turn << " joint " << i;
      }
    }
  }
}

TEST_F(BrakingWayTest, NoTimeIsFurtherFromTheWayBeforeThanItsDrift) {
  for (int turn = 0; turn < 300; ++turn) {
    BrakingWay before;
    BrakingWay way;
    draw_states();
    plan(before);
    const int cycles = 1 + static_cast<int>(random_() % 3);
    for (int i = 0; i < cycles; ++i) go_on();
    plan(way);
    std::array<double, kJoints> drift{};
    way.drift_from(before, cycles * kStep, drift);
    for (int k = 0; k <= 400; ++k) {
      const double time = (way.duration() + 0.1) * k / 400.0;
      std::array<double, kJoints> q{};
      std::array<double, kJoints> q_before{};
      way.place(time, q);
      before.place(time + cycles * kStep, q_before);
      for (std::size_t i = 0; i < kJoints; ++i)
        ASSERT_LE(std::abs(q[i] - q_before[i]), drift[i] + 1e-9) << turn << " joint " << i << " at " << time;
    }
  }
}

// what brakes as it was planned does not drift: nothing of it is looked at again
TEST_F(BrakingWayTest, BrakingAsPlannedIsNoDrift) {
  for (int turn = 0; turn < 200; ++turn) {
    BrakingWay before;
    BrakingWay way;
    draw_states();
    plan(before);
    for (std::size_t i = 0; i < kJoints; ++i) {
      const AxisProfile stop = plan_stop(next_[i], kLimits);
      from_[i] = next_[i].position;
      next_[i] = stop.at(kStep);
    }
    plan(way);
    std::array<double, kJoints> drift{};
    way.drift_from(before, kStep, drift);
    for (const double joint : drift) EXPECT_LT(joint, 1e-9) << turn;
  }
}

TEST_F(BrakingWayTest, WhoRestsStays) {
  BrakingWay way;
  plan(way);
  EXPECT_TRUE(way.stays());
  next_[2].velocity = 0.1;
  plan(way);
  EXPECT_FALSE(way.stays());
}

}  // namespace
}  // namespace sinew
