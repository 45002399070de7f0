// SPDX-License-Identifier: BSD-3-Clause
// Checks run in the control cycle: they must not allocate.
#include <gtest/gtest.h>

#include "sinew/base/test/allocation_count.h"
#include "sinew/collision/test/draws.h"

namespace sinew {
namespace {

TEST(NoAllocationTest, QueriesAndWorldsNeverAllocate) {
  draws::Random random(21);
  const RobotModel model = draws::robot("mds");
  const auto shapes = RobotShapes::make(model, {.margin = 0.01});
  ASSERT_TRUE(shapes);
  CollisionChecker checker(*shapes);
  Obstacles world = draws::world(random, 100, true, 2.0);
  const std::vector<double> q0 = draws::configuration(random, model);
  const std::vector<double> q1 = draws::configuration(random, model);
  const std::vector<double> slack(q0.size(), 0.01);
  const std::vector<float> lanes(q0.size() * 8, 0.1F);
  ASSERT_GT(allocation_count, 0U) << "the counter does not count";
  const std::uint64_t before = allocation_count;
  for (int i = 0; i < 3; ++i) {
    const Obstacles copy = world;
    checker.set_world(copy);
    (void)checker.check(q0);
    (void)checker.nearest(q0);
    (void)checker.clear_lanes(lanes);
    (void)checker.hit_lanes(lanes);
    (void)checker.sweep(q0, q1);
    (void)checker.is_way_clear(q0, q1, 1e-3);
    (void)checker.sweep(q0, q1, {.slack = slack, .may_leave = true});
    world = copy;
  }
  EXPECT_EQ(allocation_count, before);
}

}  // namespace
}  // namespace sinew
