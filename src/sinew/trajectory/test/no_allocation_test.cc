// SPDX-License-Identifier: BSD-3-Clause
// Smoothers, filters and segments run in the control cycle: they must not allocate.
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/base/test/allocation_count.h"
#include "sinew/trajectory/first_order.h"
#include "sinew/trajectory/jerk_limited.h"
#include "sinew/trajectory/joint_motion.h"
#include "sinew/trajectory/joint_path.h"
#include "sinew/trajectory/joint_smoother.h"
#include "sinew/trajectory/path_timing.h"
#include "sinew/trajectory/segment.h"
#include "sinew/trajectory/test/random_motion.h"
#include "sinew/trajectory/trajectory_check.h"

namespace sinew {
namespace {

TEST(TrajectoryTest, NothingInTheCycleAllocates) {
  RandomMotion random(1);
  std::vector<AxisLimits> limits(7);
  for (AxisLimits& each : limits) each = random.usual_limits();
  JointSmoother smoother = JointSmoother::make(limits).value();
  JointSmoother together = JointSmoother::make(limits, {.arrive_together = true}).value();
  const std::vector<AxisState> states(7);
  std::vector<double> targets(7);
  ASSERT_GT(allocation_count, 0U) << "the counter does not count";
  const std::uint64_t before = allocation_count;
  double sum = 0.0;
  for (int cycle = 0; cycle < 1000; ++cycle) {
    for (double& target : targets) target = random.uniform(-3.0, 3.0);
    smoother.step(targets, 1e-3);
    together.step(targets, 1e-3);
    if (cycle % 10 == 0) smoother.stop(random.bits());
    if (cycle % 10 == 5) smoother.release(random.bits());
    if (cycle % 10 == 7) smoother.brake_instead(random.bits());
    sum += smoother.set_limits(0, limits[0]) && smoother.reset(states) ? 1.0 : 0.0;
    sum += stop_position(together.states()[0], limits[0]) +
           plan_stop({.velocity = 0.1}, limits[0]).range().highest;
    sum += FirstOrderFilter(0.1).step(1.0, 1e-3, limits[0]) +
           CompliantFilter(0.1).step(0.0, 1.0, 1e-3, limits[0]);
    const PolynomialSegment segment = quintic_segment({.duration_ns = 1000}, {}, {.position = 1.0});
    sum += evaluate(segment, cycle).position + check_segment(segment, limits[0]).value;
  }
  EXPECT_EQ(allocation_count, before) << sum;
}

// planning and checking may be done in the cycle too: only making trajectories and timings allocates
TEST(TrajectoryTest, PlanningAndCheckingDoNotAllocate) {
  RandomMotion random(3);
  std::vector<AxisLimits> limits(3);
  std::vector<double> positions(12);
  std::vector<AxisState> states(3);
  std::vector<AxisState> targets(3);
  for (double& each : positions) each = random.uniform(-2.0, 2.0);
  for (std::size_t j = 0; j < 3; ++j) targets[j].position = random.uniform(-2.0, 2.0);
  const JointPath path = spline_path({.joint_count = 3, .positions = positions}).value();
  const std::vector<double> s = path_grid(path, 50);
  PathTiming timing = PathTiming::make({.points = s.size(), .joints = 3}, limits).value();
  const auto motion = std::make_unique<JointMotion>();
  ASSERT_TRUE(motion->plan({.from = states, .to = targets, .limits = limits}));
  const Trajectory trajectory = motion->trajectory();
  const std::uint64_t before = allocation_count;
  bool is_good = static_cast<bool>(motion->plan({.from = states, .to = targets, .limits = limits}));
  motion->sample(0.5, states);
  timing.sample(path, s);
  timing.limit_speed(3, 1.0);
  is_good = is_good && timing.solve();
  trajectory.sample(0.5, states);
  is_good = is_good && check_trajectory(trajectory, limits);
  const double stretch = needed_stretch(trajectory, limits);
  const PolynomialSegment segment = trajectory.segment(1, 1);
  EXPECT_EQ(allocation_count, before) << stretch << segment.coefficient[0];
  EXPECT_TRUE(is_good);
}

// a recording replays bit for bit
TEST(TrajectoryTest, TheSameInputGivesTheSameBits) {
  std::vector<AxisState> seen[2];
  for (std::vector<AxisState>& states : seen) {
    RandomMotion random(2);
    JointSmoother smoother = JointSmoother::make(std::vector<AxisLimits>{random.usual_limits()}).value();
    for (int cycle = 0; cycle < 10000; ++cycle) {
      smoother.step(std::vector<double>{random.uniform(-3.0, 3.0)}, 1e-3);
      states.push_back(smoother.states()[0]);
    }
  }
  EXPECT_EQ(seen[0], seen[1]);
}

}  // namespace
}  // namespace sinew
