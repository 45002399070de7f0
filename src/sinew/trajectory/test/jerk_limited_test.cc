// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/trajectory/jerk_limited.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/trajectory/test/random_motion.h"

namespace sinew {
namespace {

constexpr int kCases = 100000;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::string text_of(const AxisState& s, const AxisLimits& l, double target) {
  char text[400];
  std::snprintf(text, sizeof text, "from %.17g %.17g %.17g to %.17g limits [%g %g] %.17g %.17g %.17g",
                s.position, s.velocity, s.acceleration, target, l.lower, l.upper, l.velocity, l.acceleration,
                l.jerk);
  return text;
}

// what holds for every profile: it begins at the state, each piece joins the next, and it ends at rest at its
// end
void expect_whole(const AxisProfile& profile, const AxisState& state, const AxisLimits& limits,
                  const std::string& text) {
  const AxisState scale = rounding_scale(profile);
  ASSERT_TRUE(profile.duration() == 0.0 || profile.at(0.0) == state) << text;
  const AxisState end = end_of_pieces(profile);
  ASSERT_NEAR(end.position, profile.end_position(), 1e-14 * scale.position) << text;
  ASSERT_NEAR(end.velocity, 0.0, 1e-14 * scale.velocity) << text;
  ASSERT_NEAR(end.acceleration, 0.0, 1e-14 * scale.acceleration) << text;
  for (const ProfilePiece& piece : profile.pieces()) {
    ASSERT_LE(std::abs(piece.jerk), limits.jerk * (1.0 + 1e-15)) << text;
    ASSERT_TRUE(is_usable(piece.start.acceleration)) << text;
  }
}

// within the limits at every instant: acceleration at the ends of pieces, velocity also where acceleration
// vanishes
void expect_inside(const AxisProfile& profile, const AxisLimits& limits, const std::string& text) {
  for (const ProfilePiece& piece : profile.pieces()) {
    const auto [p, v, a] = piece.start;
    ASSERT_LE(std::abs(a), limits.acceleration * (1.0 + 1e-12)) << text;
    ASSERT_LE(std::abs(v), limits.velocity * (1.0 + 1e-12)) << text;
    const double turn = piece.jerk != 0.0 ? -a / piece.jerk : 0.0;
    if (turn > 0.0 && profile.jerk_at(piece.start_time + turn) == piece.jerk) {
      ASSERT_LE(std::abs(profile.at(piece.start_time + turn).velocity), limits.velocity * (1.0 + 1e-12))
          << text;
    }
  }
}

TEST(JerkLimitedTest, ReachesEveryTargetWithinTheLimits) {
  RandomMotion random(1);
  for (int i = 0; i < kCases; ++i) {
    const AxisLimits limits = random.usual_limits();
    AxisLimits free = limits;
    free.lower = -kInfinity;
    free.upper = kInfinity;
    const AxisState state = random.state_inside(limits);
    const double target = random.chance(0.05) ? state.position : random.uniform(-3.0, 3.0);
    const AxisProfile profile = plan_to_rest_at(target, state, free);
    const std::string text = text_of(state, free, target);
    ASSERT_EQ(profile.end_position(), target);
    ASSERT_NO_FATAL_FAILURE(expect_whole(profile, state, free, text));
    ASSERT_NO_FATAL_FAILURE(expect_inside(profile, free, text));
  }
}

TEST(JerkLimitedTest, ReachesEveryTargetWithWildLimitsToo) {
  RandomMotion random(2);
  for (int i = 0; i < kCases; ++i) {
    const AxisLimits limits = random.wild_limits();
    const AxisState state = random.state_inside(limits);
    const double target = state.position + random.uniform(-1.0, 1.0) * random.scale(1e-12, 1e4);
    const AxisProfile profile = plan_to_rest_at(target, state, limits);
    const std::string text = text_of(state, limits, target);
    ASSERT_EQ(profile.end_position(), target);
    ASSERT_NO_FATAL_FAILURE(expect_whole(profile, state, limits, text));
    ASSERT_NO_FATAL_FAILURE(expect_inside(profile, limits, text));
  }
}

// after the limits were lowered: both come back as fast as the jerk limit allows, and stay
TEST(JerkLimitedTest, ComesBackFromBeyondTheLimits) {
  RandomMotion random(3);
  for (int i = 0; i < kCases; ++i) {
    const AxisLimits limits = random.chance(0.5) ? random.usual_limits() : random.wild_limits();
    const AxisState state = random.state(limits, random.scale(1.0, 30.0));
    const double target = random.uniform(-3.0, 3.0);
    const AxisProfile profile = plan_to_rest_at(target, state, limits);
    const std::string text = text_of(state, limits, target);
    ASSERT_NO_FATAL_FAILURE(expect_whole(profile, state, limits, text));
    const double a = std::abs(state.acceleration);
    const double over_a = std::max(0.0, a - limits.acceleration) / limits.jerk;
    // the most that the velocity becomes until the acceleration is zero, then brought down at full
    // deceleration
    const double peak = std::abs(state.velocity) + a * a / limits.jerk;
    const double back = over_a + a / limits.jerk + 2.0 * limits.acceleration / limits.jerk +
                        2.0 * std::sqrt(peak / limits.jerk) + peak / limits.acceleration;
    ASSERT_LE(std::abs(profile.at(over_a * (1.0 + 1e-12)).acceleration), limits.acceleration * (1.0 + 1e-9))
        << text;
    for (int k = 0; k < 20; ++k) {
      const AxisState later = profile.at(random.uniform(back, std::max(back, profile.duration())));
      ASSERT_LE(std::abs(later.velocity), limits.velocity * (1.0 + 1e-9)) << text;
      ASSERT_LE(std::abs(later.acceleration), limits.acceleration * (1.0 + 1e-9)) << text;
    }
  }
}

}  // namespace
}  // namespace sinew
