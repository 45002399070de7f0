// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/trajectory/joint_motion.h"

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/trajectory/test/random_motion.h"
#include "sinew/trajectory/trajectory_check.h"

namespace sinew {
namespace {

// a motion of some joints, as it is asked for
struct Journey {
  std::vector<AxisState> from;
  std::vector<AxisState> to;
  std::vector<AxisLimits> limits;

  MotionRequest request() const { return {.from = from, .to = to, .limits = limits}; }
};

Journey random_journey(RandomMotion& random, std::size_t joints) {
  Journey journey;
  for (std::size_t i = 0; i < joints; ++i) {
    AxisLimits limits = random.usual_limits();
    limits.lower = -1e3;
    limits.upper = 1e3;
    journey.limits.push_back(limits);
    journey.from.push_back(random.state_inside(limits));
    AxisState to = random.state(limits, 1.0);
    to.acceleration = 0.0;
    journey.to.push_back(to);
  }
  return journey;
}

TEST(JointMotionTest, KeepsAllLimitsAtOneKilohertzAndArrivesTogether) {
  RandomMotion random(1);
  const auto motion = std::make_unique<JointMotion>();
  std::vector<AxisState> states(7);
  std::vector<AxisState> last(7);
  for (int i = 0; i < 1000; ++i) {
    const Journey journey = random_journey(random, 7);
    ASSERT_TRUE(motion->plan(journey.request())) << i;
    const double duration = motion->duration();
    ASSERT_LT(duration, 1000.0);
    last = journey.from;
    for (int k = 0; k * 1e-3 < std::min(duration, 3.0); ++k) {
      motion->sample(k * 1e-3, states);
      for (std::size_t j = 0; j < 7; ++j) {
        const AxisLimits& l = journey.limits[j];
        ASSERT_LE(std::abs(states[j].velocity), l.velocity * (1.0 + 2e-9));
        ASSERT_LE(std::abs(states[j].acceleration), l.acceleration * (1.0 + 2e-9));
        // no step larger than the next derivative allows: all of them are continuous
        ASSERT_LE(std::abs(states[j].position - last[j].position), l.velocity * 1e-3 * (1.0 + 1e-9) + 1e-9);
        ASSERT_LE(std::abs(states[j].velocity - last[j].velocity),
                  l.acceleration * 1e-3 * (1.0 + 1e-9) + 1e-9);
        ASSERT_LE(std::abs(states[j].acceleration - last[j].acceleration),
                  l.jerk * 1e-3 * (1.0 + 1e-9) + 1e-9);
      }
      last = states;
    }
    motion->sample(duration, states);
    for (std::size_t j = 0; j < 7; ++j) ASSERT_EQ(states[j], journey.to[j]);
  }
}

TEST(JointMotionTest, AsPolynomialsItIsTheSameMotionAndPassesTheCheck) {
  RandomMotion random(2);
  const auto motion = std::make_unique<JointMotion>();
  std::vector<AxisState> one(5);
  std::vector<AxisState> other(5);
  for (int i = 0; i < 500; ++i) {
    const Journey journey = random_journey(random, 5);
    ASSERT_TRUE(motion->plan(journey.request()));
    const Trajectory trajectory = motion->trajectory();
    ASSERT_NEAR(trajectory.length(), motion->duration(), 1e-9);
    const TrajectoryCheck check = check_trajectory(trajectory, journey.limits, {.tolerance = 2e-8});
    ASSERT_TRUE(check) << i << " " << trajectory_status(check).error().message;
    for (int k = 0; k < 20; ++k) {
      const double time = random.uniform(0.0, motion->duration());
      motion->sample(time, one);
      trajectory.sample(time, other);
      for (std::size_t j = 0; j < 5; ++j) {
        ASSERT_NEAR(one[j].position, other[j].position, 1e-9);
        ASSERT_NEAR(one[j].velocity, other[j].velocity, 1e-8);
      }
    }
  }
}

TEST(JointMotionTest, TakesTheTimeOfTheSlowestAndWaitsOutWhatIsImpossible) {
  const AxisLimits limits{.velocity = 1.0, .acceleration = 1.0, .jerk = 10.0};
  const Journey journey{.from = {{.velocity = 0.5}, {}},
                        .to = {{.position = 0.05, .velocity = 0.5}, {.position = 0.1}},
                        .limits = {limits, limits}};
  JointMotion motion;
  ASSERT_TRUE(motion.plan(journey.request()));
  const AxisTransition train(journey.from[0], journey.to[0], limits);
  const AxisTransition slow(journey.from[1], journey.to[1], limits);
  EXPECT_LT(slow.fastest(), 1.0);
  EXPECT_EQ(motion.duration(), train.next_possible(slow.fastest()));
  EXPECT_GT(motion.duration(), 2.0);
}

TEST(JointMotionTest, JointsBeyondTheirLimitsComeBackFirstAndAllArriveTogether) {
  RandomMotion random(4);
  const auto motion = std::make_unique<JointMotion>();
  std::vector<AxisState> states(7);
  for (int i = 0; i < 1000; ++i) {
    Journey journey = random_journey(random, 7);
    for (std::size_t j = 0; j < 7; ++j) {
      if (random.chance(0.5)) journey.from[j] = random.state(journey.limits[j], 3.0);
      // what is so fast goes far
      journey.limits[j].lower = -1e6;
      journey.limits[j].upper = 1e6;
    }
    const MotionVerdict verdict = motion->plan(journey.request());
    ASSERT_TRUE(verdict) << i << ": " << motion_status(verdict).error().message;
    for (std::size_t j = 0; j < 7; ++j) {
      const LimitBrake brake = brake_into_limits(journey.from[j], journey.limits[j]);
      ASSERT_EQ(motion->profile(j).at(0.0), journey.from[j]);
      // from then on it is as any other
      for (const double share : {0.0, 0.1, 0.5, 0.9}) {
        const double time = brake.duration + share * (motion->duration() - brake.duration);
        const AxisState state = motion->profile(j).at(time);
        ASSERT_LE(std::abs(state.velocity), journey.limits[j].velocity * (1.0 + 2e-9)) << i;
        ASSERT_LE(std::abs(state.acceleration), journey.limits[j].acceleration * (1.0 + 2e-9)) << i;
      }
    }
    motion->sample(motion->duration(), states);
    for (std::size_t j = 0; j < 7; ++j) ASSERT_EQ(states[j], journey.to[j]);
  }
}

TEST(JointMotionTest, MovesSixtyFourJointsAndNoMore) {
  RandomMotion random(3);
  const auto motion = std::make_unique<JointMotion>();
  Journey journey = random_journey(random, kMaxAxes);
  EXPECT_TRUE(motion->plan(journey.request()));
  EXPECT_EQ(motion->joint_count(), kMaxAxes);
  journey.from.emplace_back();
  EXPECT_EQ(motion->plan(journey.request()).fault, TransitionFault::NotUsable);
  EXPECT_EQ(motion->joint_count(), 0U);
  EXPECT_EQ(motion->plan({}).fault, TransitionFault::NotUsable);
}

TEST(JointMotionTest, SaysWhichJointWhatAndWhy) {
  const std::vector<std::string> names = {"base", "elbow"};
  JointMotion motion;
  Journey journey{.from = {{}, {.position = 0.9, .velocity = 0.8}},
                  .to = {{}, {.position = 0.95}},
                  .limits = {{}, {.lower = -1.0, .upper = 1.0, .velocity = 1.0, .acceleration = 1.0}}};
  const MotionVerdict passes = motion.plan(journey.request());
  EXPECT_EQ(passes.fault, TransitionFault::Position);
  EXPECT_EQ(passes.joint, 1U);
  EXPECT_NEAR(passes.value, 1.22, 0.05);
  const std::string text = motion_status(passes, names).error().message;
  EXPECT_NE(text.find("joint 'elbow': on its way the position [rad, m] 1.2"), std::string::npos) << text;
  EXPECT_NE(text.find("is beyond 1; stop first, or choose another way"), std::string::npos) << text;
  journey.to[1].velocity = 2.0;
  EXPECT_EQ(motion_status(motion.plan(journey.request())).error().message,
            "joint '2': the velocity [rad/s, m/s] at the target 2 is beyond 1; ask for less");
  journey.from[1].velocity = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(motion.plan(journey.request()).fault, TransitionFault::NotUsable);
  EXPECT_TRUE(motion_status({}));
}

}  // namespace
}  // namespace sinew
