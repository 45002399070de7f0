// SPDX-License-Identifier: BSD-3-Clause
#include "apps/web/held_keys.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

constexpr std::int64_t kMs = kMillisecond_ns;
using Verdict = HeldKeys::Verdict;

TEST(ClientClockTest, WhatCameSoonestIsNew) {
  ClientClock clock;
  // its clock is an hour behind, and the way takes 20 ms
  const auto age = [&](std::int64_t said_ms, std::int64_t came_ms) {
    return static_cast<double>(clock.age_ns(said_ms * kMs, (3'600'000 + came_ms) * kMs)) / kMs;
  };
  EXPECT_EQ(age(0, 20), 0.0);
  EXPECT_NEAR(age(50, 75), 5.0, 0.1);
  EXPECT_EQ(age(100, 118), 0.0) << "sooner than any before";
}

TEST(ClientClockTest, WhatWasQueuedInAStallIsOld) {
  ClientClock clock;
  EXPECT_EQ(clock.age_ns(0, 1000 * kMs), 0);
  // two seconds nobody reads, then all at once
  for (int said = 50; said <= 2000; said += 50)
    EXPECT_NEAR(static_cast<double>(clock.age_ns(said * kMs, 3000 * kMs)) / kMs, 2000.0 - said, 2.0);
}

TEST(ClientClockTest, ClocksThatDriftApartAreNoStall) {
  ClientClock clock;
  std::int64_t oldest_ns = 0;
  for (std::int64_t t = 0; t < 3600 * kSecond_ns; t += 50 * kMs)
    oldest_ns = std::max(oldest_ns, clock.age_ns(t - t / 10'000, t));
  EXPECT_LT(oldest_ns, 10 * kMs) << "an hour, 100 ppm apart";
}

TEST(HeldKeysTest, APressIsHeldForAsLongAsItIsSaid) {
  HeldKeys keys;
  EXPECT_FALSE(keys.is_held(7, 0));
  EXPECT_EQ(keys.beat(1, 7, 0, 0), Verdict::First);
  EXPECT_EQ(keys.beat(1, 7, 0, 50 * kMs), Verdict::Held);
  EXPECT_TRUE(keys.is_held(7, 200 * kMs));
  EXPECT_FALSE(keys.is_held(7, 201 * kMs));
  EXPECT_FALSE(keys.is_held(8, 50 * kMs));
}

TEST(HeldKeysTest, WhatIsLateDoesNotCount) {
  HeldKeys keys;
  EXPECT_EQ(keys.beat(1, 7, 151 * kMs, 0), Verdict::Late);
  EXPECT_FALSE(keys.is_held(7, 0));
  EXPECT_EQ(keys.beat(1, 7, 100 * kMs, 0), Verdict::First);
  EXPECT_TRUE(keys.is_held(7, 50 * kMs));
  EXPECT_FALSE(keys.is_held(7, 51 * kMs)) << "held by when it was said";
}

TEST(HeldKeysTest, WhatWasLetGoIsOver) {
  HeldKeys keys;
  keys.beat(1, 7, 0, 0);
  keys.release(1, 7);
  EXPECT_FALSE(keys.is_held(7, 0));
  EXPECT_EQ(keys.beat(1, 7, 0, kMs), Verdict::Over);
  EXPECT_FALSE(keys.is_held(7, kMs));
}

TEST(HeldKeysTest, APageThatIsGoneLetsGo) {
  HeldKeys keys;
  keys.beat(1, 7, 0, 0);
  keys.beat(1, 8, 0, 0);
  keys.beat(2, 9, 0, 0);
  keys.release(1, 8);
  EXPECT_EQ(keys.page_gone(1), std::vector<std::uint64_t>{7});
  EXPECT_FALSE(keys.is_held(7, 0));
  EXPECT_TRUE(keys.is_held(9, 0)) << "another's";
}

}  // namespace
}  // namespace sinew
