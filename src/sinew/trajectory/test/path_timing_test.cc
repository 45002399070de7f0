// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/trajectory/path_timing.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/trajectory/joint_path.h"
#include "sinew/trajectory/test/random_motion.h"
#include "sinew/trajectory/timing_kernel.h"
#include "sinew/trajectory/trajectory_check.h"

namespace sinew {
namespace {

// a path, its limits and its timing
struct TimedCase {
  JointPath path;
  std::vector<AxisLimits> limits;
  std::vector<double> s;
};

TimedCase random_case(RandomMotion& random, std::size_t joints, std::size_t points, std::size_t grid) {
  TimedCase c;
  std::vector<double> positions(points * joints);
  for (double& each : positions) each = random.uniform(-2.0, 2.0);
  c.path = spline_path({.joint_count = joints, .positions = positions}).value();
  for (std::size_t j = 0; j < joints; ++j) {
    c.limits.push_back(
        {.velocity = random.scale(0.5, 5.0), .acceleration = random.scale(2.0, 50.0), .jerk = 1e9});
  }
  c.s = path_grid(c.path, grid);
  return c;
}

PathTiming timing_of(const TimedCase& c) {
  PathTiming timing = PathTiming::make({.points = c.s.size(), .joints = c.limits.size()}, c.limits).value();
  timing.sample(c.path, c.s);
  return timing;
}

// the acceleration of each joint at both ends of every stretch, and the velocity at every point
void expect_within(PathTiming& timing, const TimedCase& c) {
  for (std::size_t i = 0; i < c.s.size(); ++i) {
    const double speed = timing.speeds()[i];
    for (std::size_t j = 0; j < c.limits.size(); ++j) {
      ASSERT_LE(std::abs(timing.first(i)[j]) * speed, c.limits[j].velocity * (1.0 + 1e-9));
      if (i == 0) continue;
      const double before = timing.speeds()[i - 1];
      const double u = (speed * speed - before * before) / (2.0 * (c.s[i] - c.s[i - 1]));
      for (const std::size_t end : {i - 1, i}) {
        const double x = timing.speeds()[end] * timing.speeds()[end];
        ASSERT_LE(std::abs(timing.first(end)[j] * u + timing.second(end)[j] * x),
                  c.limits[j].acceleration * (1.0 + 1e-6));
      }
    }
  }
}

// one joint on a straight line is a double integrator
TEST(PathTimingTest, TakesTheTextbooksTimeOnALine) {
  RandomMotion random(1);
  for (int i = 0; i < 10'000; ++i) {
    const double length = random.scale(0.01, 10.0);
    const std::vector<AxisLimits> limits = {
        {.velocity = random.scale(0.1, 10.0), .acceleration = random.scale(0.5, 100.0)}};
    const JointPath path = spline_path({.joint_count = 1, .positions = std::vector{0.0, length}}).value();
    const std::vector<double> s = path_grid(path, 400);
    PathTiming timing = PathTiming::make({.points = s.size(), .joints = 1}, limits).value();
    timing.sample(path, s);
    ASSERT_TRUE(timing.solve());
    const double v = limits[0].velocity;
    const double a = limits[0].acceleration;
    const double best = length > v * v / a ? length / v + v / a : 2.0 * std::sqrt(length / a);
    ASSERT_GE(timing.duration(), best * (1.0 - 1e-9));
    ASSERT_LE(timing.duration(), best * 1.01);
  }
}

TEST(PathTimingTest, KeepsTheLimitsAtEveryPoint) {
  RandomMotion random(2);
  for (int i = 0; i < 20'000; ++i) {
    const TimedCase c = random_case(random, 1 + random.bits() % 9, 2 + random.bits() % 8, 60);
    PathTiming timing = timing_of(c);
    const TimingVerdict verdict = timing.solve();
    ASSERT_TRUE(verdict) << i << " " << timing_status(verdict).error().message;
    ASSERT_NO_FATAL_FAILURE(expect_within(timing, c)) << i;
    ASSERT_EQ(timing.speeds().front(), 0.0);
    ASSERT_EQ(timing.speeds().back(), 0.0);
  }
}

// no speed anywhere can be raised: from every point of the fastest motion, some limit holds it. Checked by
// trial: any other speeds within the limits, here the same motion run slower somewhere, take longer; and a
// local rise breaks a limit of one of the stretches beside it
TEST(PathTimingTest, NoPointCanBeFaster) {
  RandomMotion random(3);
  for (int i = 0; i < 300; ++i) {
    const TimedCase c = random_case(random, 3, 4, 40);
    PathTiming timing = timing_of(c);
    ASSERT_TRUE(timing.solve());
    const auto breaks = [&](std::size_t from, double x, double y) {
      const double u = (y - x) / (2.0 * (c.s[from + 1] - c.s[from]));
      for (std::size_t j = 0; j < 3; ++j) {
        const double limit = c.limits[j].acceleration * (1.0 + 1e-9);
        if (std::abs(timing.first(from)[j] * u + timing.second(from)[j] * x) > limit) return true;
        if (std::abs(timing.first(from + 1)[j] * u + timing.second(from + 1)[j] * y) > limit) return true;
      }
      return false;
    };
    for (std::size_t k = 1; k + 1 < c.s.size(); ++k) {
      const double x = timing.speeds()[k] * timing.speeds()[k];
      const double raised = x * 1.0001;
      bool is_held = breaks(k - 1, timing.speeds()[k - 1] * timing.speeds()[k - 1], raised) ||
                     breaks(k, raised, timing.speeds()[k + 1] * timing.speeds()[k + 1]);
      for (std::size_t j = 0; j < 3 && !is_held; ++j) {
        is_held = std::abs(timing.first(k)[j]) * std::sqrt(raised) > c.limits[j].velocity;
      }
      ASSERT_TRUE(is_held) << i << " point " << k;
    }
  }
}

// a fine grid costs time, a coarse one accuracy: what is left to stretch falls with the grid
TEST(PathTimingTest, TheTrajectoryKeepsTheLimitsAfterALittleStretch) {
  RandomMotion random(4);
  for (int i = 0; i < 40; ++i) {
    const TimedCase c = random_case(random, 7, 5, 1000);
    PathTiming timing = timing_of(c);
    ASSERT_TRUE(timing.solve());
    Trajectory trajectory = follow_path(c.path, moments_of(timing));
    const double stretch = needed_stretch(trajectory, c.limits);
    ASSERT_LT(stretch, 1.01) << i;
    trajectory.stretch(stretch);
    const TrajectoryCheck check =
        check_trajectory(trajectory, c.limits, {.tolerance = 1e-7, .allow_acceleration_jumps = true});
    ASSERT_TRUE(check) << trajectory_status(check).error().message;
    for (int k = 0; k < 100; ++k) {
      const std::size_t at = random.bits() % c.s.size();
      for (std::size_t j = 0; j < 7; ++j) {
        ASSERT_NEAR(trajectory.at(j, timing.times()[at] * stretch).value, c.path.at(j, c.s[at]).value, 1e-6);
      }
    }
  }
}

TEST(PathTimingTest, HoldsTheSpeedOfTheTool) {
  RandomMotion random(5);
  const TimedCase c = random_case(random, 3, 4, 100);
  PathTiming timing = timing_of(c);
  ASSERT_TRUE(timing.solve());
  const double free = timing.duration();
  for (std::size_t i = 0; i < c.s.size(); ++i) timing.limit_speed(i, 0.2);
  ASSERT_TRUE(timing.solve());
  EXPECT_GT(timing.duration(), c.path.length() / 0.2);
  for (const double speed : timing.speeds()) EXPECT_LE(speed, 0.2 * (1.0 + 1e-12));
  timing.reset_speeds();
  ASSERT_TRUE(timing.solve());
  EXPECT_EQ(timing.duration(), free);
  // a stop on the way is no obstacle, two beside each other are
  timing.limit_speed(50, 0.0);
  ASSERT_TRUE(timing.solve());
  EXPECT_GT(timing.duration(), free);
  timing.limit_speed(51, 0.0);
  const TimingVerdict stuck = timing.solve();
  EXPECT_EQ(stuck.fault, TimingFault::Stuck);
  EXPECT_EQ(stuck.point, 51U);
}

// a joint that carries a weight: its torque is inertia·acceleration + weight, within ±1
TEST(PathTimingTest, KeepsRowsLikeTorques) {
  const std::vector<AxisLimits> limits = {{.velocity = 100.0, .acceleration = 1e6}};
  const JointPath path = spline_path({.joint_count = 1, .positions = std::vector{0.0, 1.0}}).value();
  const std::vector<double> s = path_grid(path, 500);
  PathTiming timing = PathTiming::make({.points = s.size(), .joints = 1, .rows = 1}, limits).value();
  timing.sample(path, s);
  const auto with_weight = [&](double weight) {
    for (std::size_t i = 0; i < s.size(); ++i) {
      timing.set_row(i, 0, {.a = 0.5, .b = 0.0, .c = weight, .lower = -1.0, .upper = 1.0});
    }
    return timing.solve();
  };
  ASSERT_TRUE(with_weight(0.0));
  EXPECT_NEAR(timing.duration(), 2.0 * std::sqrt(1.0 / 2.0), 0.002);
  // upwards there is less to accelerate with: 1 then, and 3 to brake: length 1 = v²/2·(1/1 + 1/3)
  ASSERT_TRUE(with_weight(0.5));
  const double top = std::sqrt(2.0 / (1.0 + 1.0 / 3.0));
  EXPECT_NEAR(timing.duration(), top + top / 3.0, 0.004);
  const std::vector<double> upwards(timing.speeds().begin(), timing.speeds().end());
  // a motor that turns the other way feels the same with all signs changed
  for (std::size_t i = 0; i < s.size(); ++i) {
    timing.set_row(i, 0, {.a = -0.5, .b = 0.0, .c = -0.5, .lower = -1.0, .upper = 1.0});
  }
  ASSERT_TRUE(timing.solve());
  for (std::size_t i = 0; i < s.size(); ++i) EXPECT_NEAR(timing.speeds()[i], upwards[i], 1e-9);
  const TimingVerdict heavy = with_weight(1.25);
  EXPECT_EQ(heavy.fault, TimingFault::CannotRest);
  EXPECT_EQ(timing_status(heavy).error().message,
            "point 1 of the path: a limit is passed by 0.25 even at rest; carry less or choose another way");
}

TEST(PathTimingTest, BeginsAndEndsInMotion) {
  const std::vector<AxisLimits> limits = {{.velocity = 1.0, .acceleration = 1.0}};
  const JointPath path = spline_path({.joint_count = 1, .positions = std::vector{0.0, 1.0}}).value();
  const std::vector<double> s = path_grid(path, 100);
  PathTiming timing = PathTiming::make({.points = s.size(), .joints = 1}, limits).value();
  timing.sample(path, s);
  ASSERT_TRUE(timing.solve(1.0, 1.0));
  EXPECT_NEAR(timing.duration(), 1.0, 1e-9);
  ASSERT_TRUE(timing.solve(0.5, 0.0));
  EXPECT_EQ(timing.speeds().front(), 0.5);
  const TimingVerdict fast = timing.solve(1.5, 0.0);
  EXPECT_EQ(fast.fault, TimingFault::TooFast);
  EXPECT_EQ(timing_status(fast).error().message,
            "the path begins with speed 1.5, but only from 1 or less its end is reached within the limits; "
            "slow down "
            "first");
}

TEST(PathTimingTest, RefusesWhatIsNoNumber) {
  RandomMotion random(6);
  const TimedCase c = random_case(random, 2, 3, 20);
  PathTiming timing = timing_of(c);
  timing.first(3)[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(timing.solve().fault, TimingFault::NotUsable);
  timing = timing_of(c);
  timing.second(3)[1] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(timing.solve().fault, TimingFault::NotUsable);
  timing = timing_of(c);
  timing.coordinates()[4] = timing.coordinates()[3];
  EXPECT_EQ(timing.solve().fault, TimingFault::NotUsable);
  timing = timing_of(c);
  timing.limit_speed(2, std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(timing.solve().fault, TimingFault::NotUsable);
  EXPECT_EQ(timing_of(c).solve(-1.0).fault, TimingFault::NotUsable);
  EXPECT_FALSE(PathTiming::make({.points = 1, .joints = 1}, std::vector<AxisLimits>(1)));
  EXPECT_FALSE(PathTiming::make({.points = 9, .joints = 2}, std::vector<AxisLimits>(1)));
  EXPECT_FALSE(PathTiming::make({.points = 9, .joints = 1}, std::vector<AxisLimits>{{.velocity = 0.0}}));
}

TEST(PathTimingTest, KernelsOfAllProcessorsAgree) {
  if (kernel::avx2_timing_kernels() == nullptr) return;  // there is only one
  RandomMotion random(7);
  std::vector<double> s(50);
  std::vector<double> a(50 * 8);
  std::vector<double> b(50 * 8);
  for (std::size_t i = 0; i < s.size(); ++i) s[i] = 0.1 * static_cast<double>(i);
  for (double& each : a) each = random.uniform(-1.0, 1.0);
  for (double& each : b) each = random.uniform(-1.0, 1.0);
  const std::vector<double> lower(8, -2.0);
  const std::vector<double> upper(8, 2.0);
  const std::vector<double> slowness(8, 1.0);
  std::vector<double> x[2];
  for (int k = 0; k < 2; ++k) {
    std::vector<double> most(50, kernel::kUnbounded);
    std::vector<double> speed(50);
    std::vector<double> time(50);
    std::vector<double> factor(50 * 16);
    std::vector<double> offset(50 * 16);
    most.back() = 0.0;
    x[k].assign(50, 0.0);
    const kernel::TimingProblem problem{50,           8, s.data(),       a.data(), b.data(), lower.data(),
                                        upper.data(), 0, slowness.data()};
    const kernel::TimingScratch scratch{most.data(), x[k].data(),   speed.data(),
                                        time.data(), factor.data(), offset.data()};
    const kernel::TimingKernels& kernels =
        k == 0 ? kernel::portable_timing_kernels() : *kernel::avx2_timing_kernels();
    kernels.backward(problem, scratch);
    kernels.forward(problem, scratch);
  }
  for (std::size_t i = 0; i < 50; ++i) EXPECT_NEAR(x[0][i], x[1][i], 1e-9 * (1.0 + x[0][i]));
}

}  // namespace
}  // namespace sinew
