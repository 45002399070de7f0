// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/trajectory/joint_smoother.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/trajectory/jerk_limited.h"
#include "sinew/trajectory/test/random_motion.h"

namespace sinew {
namespace {

constexpr double kCycle = 1e-3;
constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

JointSmoother smoother_for(const std::vector<AxisLimits>& limits, const SmootherOptions& options = {}) {
  return JointSmoother::make(limits, options).value();
}

std::vector<AxisLimits> random_axes(RandomMotion& random, std::size_t count) {
  std::vector<AxisLimits> limits(count);
  for (AxisLimits& each : limits) each = random.usual_limits();
  return limits;
}

// checks what came out, one axis, every cycle, from positions alone and from the states
class Auditor {
 public:
  Auditor(const AxisLimits& limits, double dt) : limits_(limits), dt_(dt) {}

  void see(const AxisState& state) {
    ASSERT_LE(std::abs(state.velocity), limits_.velocity * (1.0 + 1e-9));
    ASSERT_LE(std::abs(state.acceleration), limits_.acceleration * (1.0 + 1e-9));
    ASSERT_GE(state.position, limits_.lower);
    ASSERT_LE(state.position, limits_.upper);
    std::rotate(p_, p_ + 1, p_ + 4);
    p_[3] = state.position;
    if (++seen_ < 4) return;
    // differences of rounded positions are off by the roundings
    const double rounding = 2.3e-16 * 4.0;
    const double v = (p_[3] - p_[2]) / dt_;
    const double a = (p_[3] - 2.0 * p_[2] + p_[1]) / (dt_ * dt_);
    const double j = (p_[3] - 3.0 * p_[2] + 3.0 * p_[1] - p_[0]) / (dt_ * dt_ * dt_);
    ASSERT_LE(std::abs(v), limits_.velocity * (1.0 + 1e-9) + 2.0 * rounding / dt_);
    ASSERT_LE(std::abs(a), limits_.acceleration * (1.0 + 1e-9) + 4.0 * rounding / (dt_ * dt_));
    ASSERT_LE(std::abs(j), limits_.jerk * (1.0 + 1e-6) + 8.0 * rounding / (dt_ * dt_ * dt_));
    worst_jerk_ = std::max(worst_jerk_, std::abs(j) / limits_.jerk);
  }
  double worst_jerk() const { return worst_jerk_; }

 private:
  AxisLimits limits_;
  double dt_;
  double p_[4] = {};
  int seen_ = 0;
  double worst_jerk_ = 0.0;
};

// three programs that know nothing of each other give targets, some each cycle, some at or beyond the limits
class Programs {
 public:
  Programs(RandomMotion& random, const std::vector<AxisLimits>& limits) : random_(random), limits_(limits) {}

  void speak(std::vector<double>& targets) {
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const AxisLimits& l = limits_[i];
      if (i % 3 == 0) targets[i] = random_.uniform(l.lower, l.upper);
      if (i % 3 == 1 && random_.chance(0.01))
        targets[i] = random_.chance(0.5) ? l.lower - 1.0 : l.upper + 1.0;
      if (i % 3 == 2 && random_.chance(0.2)) targets[i] += random_.uniform(-0.01, 0.01);
      if (random_.chance(0.001)) targets[i] = random_.chance(0.5) ? l.upper : l.lower;
    }
  }

 private:
  RandomMotion& random_;
  const std::vector<AxisLimits>& limits_;
};

void run_programs(const SmootherOptions& options, std::size_t axes, int cycles, std::uint64_t seed) {
  RandomMotion random(seed);
  const std::vector<AxisLimits> limits = random_axes(random, axes);
  JointSmoother smoother = smoother_for(limits, options);
  std::vector<Auditor> auditors;
  for (const AxisLimits& each : limits) auditors.emplace_back(each, kCycle);
  std::vector<double> targets(axes, 0.0);
  Programs programs(random, limits);
  for (int cycle = 0; cycle < cycles; ++cycle) {
    programs.speak(targets);
    smoother.step(targets, kCycle);
    for (std::size_t i = 0; i < axes; ++i) {
      SCOPED_TRACE("axis " + std::to_string(i) + ", cycle " + std::to_string(cycle));
      ASSERT_NO_FATAL_FAILURE(auditors[i].see(smoother.states()[i]));
    }
  }
  // the limits are used, not only kept
  double worst_jerk = 0.0;
  for (const Auditor& auditor : auditors) worst_jerk = std::max(worst_jerk, auditor.worst_jerk());
  EXPECT_GT(worst_jerk, 0.999);
}

TEST(JointSmootherTest, KeepsAllLimitsWhileThreeProgramsRetargetEveryCycle) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) run_programs({}, 43, 10000, seed);
}

TEST(JointSmootherTest, KeepsAllLimitsWhenAxesArriveTogether) {
  run_programs({.arrive_together = true}, 7, 2000, 4);
}

// stops, brakes, releases and new limits at random moments leave no trace in the bounds
TEST(JointSmootherTest, KeepsAllLimitsThroughStops) {
  RandomMotion random(5);
  const std::vector<AxisLimits> limits = random_axes(random, 12);
  JointSmoother smoother = smoother_for(limits);
  std::vector<Auditor> auditors;
  for (const AxisLimits& each : limits) auditors.emplace_back(each, kCycle);
  std::vector<double> targets(limits.size(), 0.0);
  Programs programs(random, limits);
  for (int cycle = 0; cycle < 30000; ++cycle) {
    programs.speak(targets);
    if (random.chance(0.01)) smoother.stop(random.bits());
    if (random.chance(0.02)) smoother.release(random.bits());
    smoother.step(targets, kCycle);
    if (random.chance(0.01)) smoother.brake_instead(random.bits());
    for (std::size_t i = 0; i < limits.size(); ++i) {
      SCOPED_TRACE("axis " + std::to_string(i) + ", cycle " + std::to_string(cycle));
      ASSERT_NO_FATAL_FAILURE(auditors[i].see(smoother.states()[i]));
    }
  }
}

TEST(JointSmootherTest, ArrivesToTheLastBitAndStays) {
  RandomMotion random(6);
  const std::vector<AxisLimits> limits = random_axes(random, 64);
  JointSmoother smoother = smoother_for(limits);
  std::vector<double> targets(64);
  for (int round = 0; round < 20; ++round) {
    for (std::size_t i = 0; i < 64; ++i) targets[i] = random.uniform(limits[i].lower, limits[i].upper);
    double longest = 0.0;
    smoother.step(targets, kCycle);
    for (std::size_t i = 0; i < 64; ++i) longest = std::max(longest, smoother.profile(i).duration());
    const int cycles = static_cast<int>(longest / kCycle) + 2;
    for (int cycle = 0; cycle < cycles; ++cycle) smoother.step(targets, kCycle);
    EXPECT_EQ(smoother.step(targets, kCycle).moving_mask, 0U);
    for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(smoother.states()[i], AxisState{.position = targets[i]});
  }
}

// for motions that were planned elsewhere
TEST(JointSmootherTest, AnAxisThatIsLedGoesThereAndBrakesWhenItIsNotLedAnyMore) {
  const AxisLimits limits{.lower = -1.0, .upper = 1.0, .velocity = 1.0, .acceleration = 4.0, .jerk = 40.0};
  JointSmoother smoother = smoother_for({limits, limits});
  Auditor auditor(limits, kCycle);
  const AxisProfile plan = plan_to_rest_at(0.8, {}, limits);
  const std::vector<double> targets{-0.5, -0.5};
  for (int i = 1; i <= 300; ++i) {
    const AxisState led = plan.at(i * kCycle);
    smoother.lead(0, led);
    const SmootherReport report = smoother.step(targets, kCycle);
    ASSERT_EQ(smoother.states()[0], led);
    EXPECT_NE(report.moving_mask & 1, 0U);
    auditor.see(smoother.states()[0]);
  }
  EXPECT_LT(smoother.states()[1].position, 0.0) << "the other one follows its target";
  const double rests_at = smoother.profile(0).end_position();
  // not led and without a wish of its own, it brakes
  for (int i = 0; i < 1000; ++i) {
    smoother.step(std::vector<double>{rests_at, -0.5}, kCycle);
    auditor.see(smoother.states()[0]);
  }
  EXPECT_NEAR(smoother.states()[0].position, rests_at, 1e-12);
  EXPECT_EQ(smoother.states()[0].velocity, 0.0);
  // while stopped it cannot be led
  smoother.stop(1);
  smoother.lead(0, {.position = 0.9});
  smoother.step(targets, kCycle);
  EXPECT_NEAR(smoother.states()[0].position, rests_at, 1e-12);
  smoother.release(1);
  smoother.lead(0, {.position = kNotANumber});
  smoother.step(std::vector<double>{rests_at, -0.5}, kCycle);
  EXPECT_NEAR(smoother.states()[0].position, rests_at, 1e-12);
}

TEST(JointSmootherTest, ArriveTogetherMeansAtTheSameTime) {
  RandomMotion random(7);
  for (int round = 0; round < 300; ++round) {
    const std::vector<AxisLimits> limits = random_axes(random, 7);
    JointSmoother smoother = smoother_for(limits, {.arrive_together = true});
    std::vector<AxisState> states;
    for (const AxisLimits& each : limits) {
      states.push_back(random.chance(0.5) ? random.state_inside(each) : AxisState{.position = 0.3});
    }
    ASSERT_TRUE(smoother.reset(states));
    std::vector<double> targets;
    for (const AxisLimits& each : limits) targets.push_back(random.uniform(each.lower, each.upper));
    smoother.step(targets, kCycle);
    double slowest = 0.0;
    for (std::size_t i = 0; i < 7; ++i) slowest = std::max(slowest, smoother.profile(i).duration());
    for (std::size_t i = 0; i < 7; ++i) {
      EXPECT_NEAR(smoother.profile(i).duration(), slowest, 2e-9 * slowest)
          << "axis " << i << " round " << round;
      EXPECT_EQ(smoother.profile(i).end_position(), targets[i]);
    }
  }
}

// the same profile sampled at other rates passes the same states
TEST(JointSmootherTest, DoesNotDependOnTheRate) {
  const std::vector<AxisLimits> limits = {
      {.lower = -2, .upper = 2, .velocity = 1, .acceleration = 5, .jerk = 50}};
  JointSmoother fast = smoother_for(limits);
  JointSmoother slow = smoother_for(limits);
  const std::vector<double> target = {1.234};
  for (int cycle = 0; cycle < 300; ++cycle) {
    for (int k = 0; k < 16; ++k) fast.step(target, 1.0 / 1024);
    slow.step(target, 16.0 / 1024);
    ASSERT_EQ(fast.states()[0], slow.states()[0]);
  }
}

TEST(JointSmootherTest, RefusesWhatIsNoNumberAndGoesOn) {
  const std::vector<AxisLimits> limits(3);
  JointSmoother smoother = smoother_for(limits);
  JointSmoother undisturbed = smoother_for(limits);
  const double infinity = std::numeric_limits<double>::infinity();
  smoother.step(std::vector<double>{0.5, -0.5, 0.25}, kCycle);
  undisturbed.step(std::vector<double>{0.5, -0.5, 0.25}, kCycle);
  for (int cycle = 0; cycle < 2000; ++cycle) {
    const SmootherReport report = smoother.step(std::vector<double>{kNotANumber, infinity, -1e300}, kCycle);
    EXPECT_EQ(report.refused_mask, 7U);
    undisturbed.step({}, kCycle);
    for (std::size_t i = 0; i < 3; ++i) ASSERT_EQ(smoother.states()[i], undisturbed.states()[i]);
  }
  EXPECT_EQ(smoother.states()[0].position, 0.5);
  for (const double dt : {kNotANumber, -1.0, infinity}) {
    smoother.step(std::vector<double>{0.9, 0.9, 0.9}, dt);
    EXPECT_EQ(smoother.states()[0], AxisState{.position = 0.5});
  }
}

TEST(JointSmootherTest, RefusesStatesThatAreNoNumbers) {
  JointSmoother smoother = smoother_for(std::vector<AxisLimits>(2));
  EXPECT_FALSE(smoother.reset(std::vector<AxisState>{{.position = kNotANumber}, {}}));
  EXPECT_FALSE(smoother.reset(std::vector<AxisState>{{}}));
  EXPECT_FALSE(smoother.set_limits(0, {.velocity = kNotANumber}));
  EXPECT_FALSE(smoother.set_limits(2, {}));
  EXPECT_TRUE(smoother.reset(std::vector<AxisState>{{.position = 1.0, .velocity = 0.5}, {}}));
}

TEST(JointSmootherTest, RefusalOfLimitsSaysWhichAndWhy) {
  const std::vector<AxisLimits> limits = {{}, {.velocity = 0.0}};
  const auto refused = JointSmoother::make(limits);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "axis 2: limits position -inf to inf, velocity 0, acceleration 10, jerk 100 bound no motion: "
            "positions in "
            "order, the others between 1e-09 and 1000000000; state them in robot.yaml");
  const auto many = JointSmoother::make(std::vector<AxisLimits>(65));
  ASSERT_FALSE(many);
  EXPECT_EQ(many.error().message, "a smoother for 65 axes: at most 64; use one for each arm");
}

TEST(JointSmootherTest, MovesInStopUntilTargetsComeAfterReset) {
  const AxisLimits limits{.velocity = 2.0};
  JointSmoother smoother = smoother_for({limits});
  const AxisState state{.position = 1.0, .velocity = 1.5, .acceleration = -2.0};
  ASSERT_TRUE(smoother.reset(std::vector<AxisState>{state}));
  EXPECT_EQ(smoother.profile(0).end_position(), stop_position(state, limits));
  for (int cycle = 0; cycle < 3000; ++cycle) smoother.step({}, kCycle);
  EXPECT_EQ(smoother.states()[0], AxisState{.position = stop_position(state, limits)});
}

TEST(JointSmootherTest, BrakeInsteadFollowsTheStopFromBeforeTheStep) {
  const AxisLimits limits{};
  JointSmoother smoother = smoother_for({limits, limits});
  const std::vector<double> targets = {1.0, 1.0};
  for (int cycle = 0; cycle < 250; ++cycle) smoother.step(targets, kCycle);
  const AxisState before = smoother.states()[0];
  smoother.step(targets, kCycle);
  const AxisState other = smoother.states()[1];
  smoother.brake_instead(1);
  EXPECT_EQ(smoother.states()[1], other);
  EXPECT_EQ(smoother.stopped_mask(), 1U);
  const AxisProfile way = plan_stop(before, limits);
  for (double time = kCycle; time < 2.0;) {
    ASSERT_EQ(smoother.states()[0], way.at(time));
    smoother.brake_instead(1);  // asked again, it is the same stop
    smoother.step(targets, kCycle);
    time += kCycle;
  }
  smoother.release(1);
  for (int cycle = 0; cycle < 3000; ++cycle) smoother.step(targets, kCycle);
  EXPECT_EQ(smoother.states()[0], AxisState{.position = 1.0});
}

TEST(JointSmootherTest, GoesOnStoppingWhenToldAgain) {
  JointSmoother smoother = smoother_for({AxisLimits{}});
  for (int cycle = 0; cycle < 250; ++cycle) smoother.step(std::vector<double>{1.0}, kCycle);
  smoother.stop(1);
  const double end = smoother.profile(0).end_position();
  smoother.step({}, kCycle);
  smoother.stop(1);
  EXPECT_EQ(smoother.elapsed(0), kCycle);
  for (int cycle = 0; cycle < 1000; ++cycle) smoother.step(std::vector<double>{-1.0}, kCycle);
  EXPECT_EQ(smoother.states()[0], AxisState{.position = end});
}

TEST(JointSmootherTest, ComesInsideWhenLimitsAreLowered) {
  JointSmoother smoother = smoother_for({{.velocity = 2.0, .acceleration = 10.0, .jerk = 200.0}});
  const std::vector<double> target = {5.0};
  for (int cycle = 0; cycle < 500; ++cycle) smoother.step(target, kCycle);
  ASSERT_EQ(smoother.states()[0].velocity, 2.0);
  ASSERT_TRUE(smoother.set_limits(0, {.upper = 4.0, .velocity = 0.5, .acceleration = 5.0, .jerk = 100.0}));
  // 1.5 / 5 + 5 / 100 seconds to come down to 0.5
  for (int cycle = 0; cycle < 351; ++cycle) smoother.step(target, kCycle);
  EXPECT_EQ(smoother.states()[0].velocity, 0.5);
  for (int cycle = 0; cycle < 8000; ++cycle) smoother.step(target, kCycle);
  EXPECT_EQ(smoother.states()[0], AxisState{.position = 4.0});
}

}  // namespace
}  // namespace sinew
