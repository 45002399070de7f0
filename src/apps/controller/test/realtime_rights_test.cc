// SPDX-License-Identifier: BSD-3-Clause
#include "apps/controller/realtime_rights.h"

#include <sched.h>

#include <thread>

#include <gtest/gtest.h>

namespace sinew {
namespace {

TEST(RealtimeRightsTest, WhoIsStartedByTheCycleHasNoPartInItsPriority) {
  bool is_granted = false;
  int own_policy = -1;
  int started_policy = -1;
  std::thread([&] {
    is_granted = take_realtime_priority();
    own_policy = sched_getscheduler(0) & ~SCHED_RESET_ON_FORK;
    std::thread([&] { started_policy = sched_getscheduler(0); }).join();
  }).join();
  if (!is_granted) GTEST_SKIP() << "no real-time priority is granted here";
  EXPECT_EQ(own_policy, SCHED_FIFO);
  EXPECT_EQ(started_policy, SCHED_OTHER);
}

}  // namespace
}  // namespace sinew
