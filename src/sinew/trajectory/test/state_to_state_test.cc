// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/trajectory/state_to_state.h"

#include <cmath>
#include <iomanip>
#include <limits>
#include <ostream>

#include <gtest/gtest.h>

#include "sinew/trajectory/jerk_limited.h"
#include "sinew/trajectory/test/random_motion.h"

namespace sinew {
namespace {

constexpr int kTransitionCases = 50000;
constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

// what is told of a case that fails
struct Task {
  AxisState from;
  AxisState to;
  AxisLimits limits;

  friend std::ostream& operator<<(std::ostream& out, const Task& t) {
    return out << std::setprecision(17) << "from " << t.from.position << " " << t.from.velocity << " "
               << t.from.acceleration << " to " << t.to.position << " " << t.to.velocity << " limits "
               << t.limits.velocity << " " << t.limits.acceleration << " " << t.limits.jerk;
  }
};

AxisState steady(RandomMotion& random, const AxisLimits& limits) {
  AxisState state = random.state(limits, 1.0);
  state.acceleration = 0.0;
  return state;
}

Task random_task(RandomMotion& random) {
  Task task;
  task.limits = random.usual_limits();
  task.from = random.state_inside(task.limits);
  task.to = steady(random, task.limits);
  // near the states that are reached at once, where the cases are
  if (random.chance(0.5))
    task.to.position = task.from.position + random.uniform(-1.0, 1.0) * random.scale(1e-6, 1.0);
  return task;
}

AxisProfile motion_of(const AxisTransition& transition, double duration) {
  AxisProfile profile;
  EXPECT_TRUE(transition.plan_motion(duration, profile));
  return profile;
}

// begins as told, pieces join by construction, ends as told, and keeps the limits at every instant
void expect_good(const AxisProfile& profile, const Task& task) {
  const AxisState scale = rounding_scale(profile);
  if (profile.duration() > 0.0 && !profile.pieces().empty()) {
    ASSERT_EQ(profile.at(0.0), task.from) << task;
  }
  AxisState end = task.from;
  double time = 0.0;
  for (std::size_t i = 0; i < profile.pieces().size(); ++i) {
    const ProfilePiece& piece = profile.pieces()[i];
    const double piece_end =
        i + 1 < profile.pieces().size() ? profile.pieces()[i + 1].start_time : profile.duration();
    ASSERT_LE(std::abs(piece.jerk), task.limits.jerk * (1.0 + 1e-12)) << task;
    const double turn = piece.jerk != 0.0 ? -piece.start.acceleration / piece.jerk : 0.0;
    if (turn > 0.0 && turn < piece_end - piece.start_time) {
      ASSERT_LE(std::abs(advance(piece.start, piece.jerk, turn).velocity),
                task.limits.velocity * (1.0 + 2e-9))
          << task;
    }
    end = advance(piece.start, piece.jerk, piece_end - piece.start_time);
    ASSERT_LE(std::abs(end.acceleration), task.limits.acceleration * (1.0 + 2e-9)) << task;
    ASSERT_LE(std::abs(end.velocity), task.limits.velocity * (1.0 + 2e-9)) << task;
    time = piece_end;
  }
  ASSERT_NEAR(end.position, task.to.position, 2e-10 * scale.position) << task;
  ASSERT_NEAR(end.velocity, task.to.velocity, 4e-12 * scale.velocity) << task;
  ASSERT_NEAR(end.acceleration, 0.0, 4e-12 * (scale.acceleration + task.limits.acceleration)) << task;
  ASSERT_NEAR(time, profile.duration(), 1e-12 * profile.duration());
  ASSERT_EQ(profile.at(profile.duration()).position, task.to.position);
  ASSERT_EQ(profile.at(profile.duration()).velocity, task.to.velocity);
}

TEST(StateToStateTest, GoesFromAnyStateToAnyStateWithinTheLimits) {
  RandomMotion random(1);
  for (int i = 0; i < kTransitionCases; ++i) {
    const Task task = random_task(random);
    const AxisTransition transition(task.from, task.to, task.limits);
    ASSERT_EQ(transition.fault(), TransitionFault::None) << task;
    ASSERT_NO_FATAL_FAILURE(expect_good(motion_of(transition, transition.fastest()), task)) << i;
  }
}

TEST(StateToStateTest, TakesAnyPossibleTime) {
  RandomMotion random(2);
  for (int i = 0; i < kTransitionCases; ++i) {
    const Task task = random_task(random);
    const AxisTransition transition(task.from, task.to, task.limits);
    const double wanted = transition.fastest() * random.scale(1.0, random.chance(0.5) ? 1.5 : 20.0) + 1e-6;
    const double possible = transition.next_possible(wanted);
    ASSERT_GE(possible, wanted);
    const AxisProfile profile = motion_of(transition, possible);
    ASSERT_EQ(profile.duration(), possible);
    ASSERT_NO_FATAL_FAILURE(expect_good(profile, task)) << i;
  }
}

// to rest there is a second generator, whose every target takes one time only
TEST(StateToStateTest, IsAsFastAsTheMotionToRest) {
  RandomMotion random(3);
  for (int i = 0; i < kTransitionCases; ++i) {
    Task task = random_task(random);
    task.to.velocity = 0.0;
    task.limits.lower = -1e6;
    task.limits.upper = 1e6;
    const double fastest = plan_to_rest_at(task.to.position, task.from, task.limits).duration();
    ASSERT_NEAR(AxisTransition(task.from, task.to, task.limits).fastest(), fastest, 1e-5 * fastest + 1e-9)
        << task;
  }
}

// run backwards and mirrored, a motion leads from the target's velocity to the start's
TEST(StateToStateTest, TakesTheSameTimeBackwards) {
  RandomMotion random(4);
  for (int i = 0; i < kTransitionCases; ++i) {
    Task task = random_task(random);
    task.from.acceleration = 0.0;
    const AxisState back_from{.position = task.from.position, .velocity = task.to.velocity};
    const AxisState back_to{.position = task.to.position, .velocity = task.from.velocity};
    const double fastest = AxisTransition(task.from, task.to, task.limits).fastest();
    ASSERT_NEAR(AxisTransition(back_from, back_to, task.limits).fastest(), fastest, 1e-5 * fastest + 1e-9)
        << task;
  }
}

// some motion within the limits, by no rule; false when it left them
bool wander(RandomMotion& random, const AxisLimits& limits, AxisState& state, double& duration) {
  const double unit = limits.acceleration / limits.jerk;
  const auto stays_inside = [&](double jerk, double time) {
    for (int k = 1; k <= 8; ++k) {
      const AxisState s = advance(state, jerk, time * k / 8.0);
      const double lift = s.acceleration * std::abs(s.acceleration) / (2.0 * limits.jerk);
      if (std::abs(s.acceleration) > limits.acceleration) return false;
      if (std::abs(s.velocity + lift) > limits.velocity || std::abs(s.velocity) > limits.velocity)
        return false;
    }
    state = advance(state, jerk, time);
    duration += time;
    return true;
  };
  const int steps = 1 + static_cast<int>(random.bits() % 6);
  for (int i = 0; i < steps; ++i) {
    const double jerk = random.chance(0.6) ? std::copysign(limits.jerk, random.uniform(-1.0, 1.0))
                                           : random.uniform(-limits.jerk, limits.jerk);
    stays_inside(jerk, unit * random.scale(0.01, 2.0));
    if (random.chance(0.2)) stays_inside(-state.acceleration / unit, unit);
  }
  if (state.acceleration == 0.0) return true;
  const double jerk = -std::copysign(limits.jerk, state.acceleration);
  const bool is_inside = stays_inside(jerk, state.acceleration / -jerk);
  state.acceleration = 0.0;
  return is_inside;
}

// whatever another motion does in some time can be done in that time, and perhaps in less
TEST(StateToStateTest, NoOtherMotionIsFasterOrTakesATimeThatIsSaidToBeImpossible) {
  RandomMotion random(5);
  int compared = 0;
  for (int i = 0; i < 2 * kTransitionCases; ++i) {
    Task task = random_task(random);
    AxisState state = task.from;
    double duration = 0.0;
    if (!wander(random, task.limits, state, duration)) continue;
    task.to = state;
    const AxisTransition transition(task.from, task.to, task.limits);
    ASSERT_EQ(transition.fault(), TransitionFault::None) << task;
    const double slack = 1e-7 * duration + 1e-9;
    ASSERT_LE(transition.fastest(), duration + slack) << i << " " << task;
    ASSERT_LE(transition.next_possible(duration), duration + slack) << i << " " << task;
    ++compared;
  }
  EXPECT_GT(compared, kTransitionCases);
}

// a train that shall pass a place at full speed and is early cannot be only a little later
TEST(StateToStateTest, SomeTimesAreImpossible) {
  const AxisLimits limits{.velocity = 1.0, .acceleration = 1.0, .jerk = 10.0};
  const AxisTransition transition({.velocity = 0.5}, {.position = 0.05, .velocity = 0.5}, limits);
  EXPECT_LT(transition.fastest(), 0.1);
  const double later = transition.next_possible(0.5);
  EXPECT_GT(later, 2.0);
  EXPECT_NEAR(transition.next_possible(later), later, 1e-12);
  EXPECT_EQ(transition.next_possible(later + 1.0), later + 1.0);
  EXPECT_EQ(transition.next_possible(0.0), transition.fastest());
  AxisProfile profile;
  EXPECT_FALSE(transition.plan_motion(0.5, profile));
  EXPECT_FALSE(transition.plan_motion(transition.fastest() / 2.0, profile));
  EXPECT_TRUE(transition.plan_motion(later, profile));
}

// by hand: with a peak of c the axis comes to c² + c - 30 in 2(c + 6), so that between c = -0.75 and c =
// -0.25 it comes no longer as far as -30.1875
TEST(StateToStateTest, ImpossibleTimesEndWhereTheFormulaSays) {
  const AxisLimits limits{.velocity = 50.0, .acceleration = 1.0, .jerk = 1.0};
  const AxisTransition transition({.velocity = -5.0}, {.position = -30.1875, .velocity = -5.0}, limits);
  EXPECT_EQ(transition.next_possible(10.4), 10.4);
  EXPECT_NEAR(transition.next_possible(10.6), 11.5, 1e-6);
  EXPECT_NEAR(transition.next_possible(11.4), 11.5, 1e-6);
  EXPECT_EQ(transition.next_possible(11.6), 11.6);
}

// as from where the way back ends, with that way before it
TEST(StateToStateTest, GoesFromAStateBeyondTheLimitsByWayOfTheLimits) {
  RandomMotion random(9);
  for (int i = 0; i < kTransitionCases; ++i) {
    Task task = random_task(random);
    task.from = random.state(task.limits, random.scale(0.5, 20.0));
    const AxisTransition transition(task.from, task.to, task.limits);
    ASSERT_EQ(transition.fault(), TransitionFault::None) << task;
    const AxisProfile profile = motion_of(transition, transition.fastest());
    const LimitBrake brake = brake_into_limits(task.from, task.limits);
    const AxisTransition rest(brake.end, task.to, task.limits);
    ASSERT_NEAR(profile.duration(), brake.duration + rest.fastest(), 1e-9 * (1.0 + profile.duration()))
        << task;
    if (!profile.pieces().empty()) {
      ASSERT_EQ(profile.at(0.0), task.from) << task;
    }
    ASSERT_EQ(profile.at(profile.duration()), task.to) << task;
    double longer = transition.next_possible(profile.duration() + random.uniform(0.0, 2.0));
    ASSERT_EQ(motion_of(transition, longer).at(longer), task.to) << task;
    for (const ProfilePiece& piece : profile.pieces()) {
      ASSERT_LE(std::abs(piece.jerk), task.limits.jerk * (1.0 + 1e-12)) << task;
      if (piece.start_time < brake.duration) continue;
      ASSERT_LE(std::abs(piece.start.velocity), task.limits.velocity * (1.0 + 2e-9)) << task;
      ASSERT_LE(std::abs(piece.start.acceleration), task.limits.acceleration * (1.0 + 2e-9)) << task;
    }
  }
}

TEST(StateToStateTest, RefusesWhatNoMotionKeeps) {
  const AxisLimits limits{.velocity = 1.0, .acceleration = 2.0, .jerk = 10.0};
  const auto fault = [&](const AxisState& from, const AxisState& to) {
    return AxisTransition(from, to, limits).fault();
  };
  EXPECT_EQ(fault({}, {.velocity = -1.1}), TransitionFault::TargetVelocity);
  EXPECT_EQ(fault({}, {.acceleration = 0.1}), TransitionFault::TargetAcceleration);
  EXPECT_EQ(fault({.position = kNoNumber}, {}), TransitionFault::NotUsable);
  EXPECT_EQ(fault({}, {.position = kNoNumber}), TransitionFault::NotUsable);
  EXPECT_EQ(AxisTransition({}, {}, {.velocity = 0.0}).fault(), TransitionFault::NotUsable);
  EXPECT_EQ(fault({}, {}), TransitionFault::None);
  EXPECT_EQ(AxisTransition({}, {}, limits).fastest(), 0.0);
}

}  // namespace
}  // namespace sinew
