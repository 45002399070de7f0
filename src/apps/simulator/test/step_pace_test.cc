// SPDX-License-Identifier: BSD-3-Clause
#include "apps/simulator/step_pace.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

TEST(StepPace, TakesOneStepAPeriodAndDoesNotDrift) {
  StepPace pace(kMillisecond_ns, 1.0, 0);
  int steps = 0;
  // woken a little late every time
  for (int i = 0; i < 1000; ++i) steps += pace.steps_at(pace.due_ns() + 300 * kMicrosecond_ns);
  EXPECT_EQ(steps, 1000);
  EXPECT_EQ(pace.due_ns(), 1001 * kMillisecond_ns);
  EXPECT_EQ(pace.steps_at(pace.due_ns() - 1), 0);
}

TEST(StepPace, CatchesUpTwoByTwo) {
  StepPace pace(kMillisecond_ns, 1.0, 0);
  int steps = 0;
  for (int wake = 0; wake < 100; ++wake) {
    const int taken = pace.steps_at((40 + wake) * kMillisecond_ns);
    EXPECT_EQ(taken, wake < 39 ? 2 : 1) << wake;
    steps += taken;
  }
  EXPECT_EQ(steps, 139);
  EXPECT_EQ(pace.lost_ns(), 0);
}

TEST(StepPace, LetsALongDelayGo) {
  StepPace pace(kMillisecond_ns, 2.0, 0);
  EXPECT_EQ(pace.due_ns(), 500 * kMicrosecond_ns);
  EXPECT_EQ(pace.steps_at(kSecond_ns), 1);
  EXPECT_EQ(pace.lost_ns(), kSecond_ns - 500 * kMicrosecond_ns);
  EXPECT_EQ(pace.due_ns(), kSecond_ns + 500 * kMicrosecond_ns);
}

}  // namespace
}  // namespace sinew
