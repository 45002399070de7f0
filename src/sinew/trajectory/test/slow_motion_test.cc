// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/trajectory/slow_motion.h"

#include <cmath>

#include <gtest/gtest.h>

#include "sinew/trajectory/jerk_limited.h"
#include "sinew/trajectory/test/random_motion.h"

namespace sinew {
namespace {

TEST(SlowMotionTest, TakesTheTimeThatIsWanted) {
  RandomMotion random(1);
  for (int i = 0; i < 100000; ++i) {
    const AxisLimits limits = random.usual_limits();
    AxisState state = random.state_inside(limits);
    if (random.chance(0.2)) state = {.position = state.position};
    const double target = random.uniform(limits.lower, limits.upper);
    const AxisProfile fastest = plan_to_rest_at(target, state, limits);
    const double duration = fastest.duration() * random.scale(1.000001, 100.0);
    const AxisProfile slow = slowed_to({.position = target, .duration = duration}, fastest, state, limits);
    ASSERT_NEAR(slow.duration(), duration, 2e-9 * duration) << i;
    ASSERT_EQ(slow.end_position(), target);
    ASSERT_EQ(slow.at(0.0), state);
    for (int k = 1; k < 10; ++k) {
      const AxisState s = slow.at(duration * k / 10.0);
      ASSERT_LE(std::abs(s.velocity), limits.velocity * (1.0 + 1e-9));
      ASSERT_LE(std::abs(s.acceleration), limits.acceleration * (1.0 + 1e-9));
      ASSERT_LE(std::abs(slow.jerk_at(duration * k / 10.0)), limits.jerk * (1.0 + 1e-9));
    }
    const AxisState end = end_of_pieces(slow);
    ASSERT_NEAR(end.position, target, 1e-14 * rounding_scale(slow).position);
  }
}

TEST(SlowMotionTest, IsTheFastestWhenLessTimeIsWantedOrNoMotionIsLeft) {
  const AxisState moving{.position = 0.0, .velocity = 0.5};
  const AxisProfile fastest = plan_to_rest_at(1.0, moving, {});
  const AxisProfile hurried = slowed_to({.position = 1.0, .duration = 0.1}, fastest, moving, {});
  EXPECT_EQ(hurried.duration(), fastest.duration());
  const AxisProfile resting =
      slowed_to({.position = 1.0, .duration = 5.0}, AxisProfile(1.0), {.position = 1.0}, {});
  EXPECT_EQ(resting.duration(), 0.0);
  // an axis that is stopping right at its target cannot do so later
  const double stop = stop_position(moving, {});
  const AxisProfile stopping = plan_stop(moving, {});
  const AxisProfile later = slowed_to({.position = stop, .duration = 5.0}, stopping, moving, {});
  EXPECT_EQ(later.end_position(), stop);
  EXPECT_TRUE(std::isfinite(later.duration()));
}

}  // namespace
}  // namespace sinew
