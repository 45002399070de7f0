// SPDX-License-Identifier: BSD-3-Clause
#include "apps/web/stop_presses.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

TEST(StopPressesTest, APressThatComesByTwoWaysIsOne) {
  StopPresses presses;
  EXPECT_FALSE(presses.was_told("ada", 7));
  presses.note_told("ada", 7);
  EXPECT_TRUE(presses.was_told("ada", 7));
  EXPECT_FALSE(presses.was_told("ada", 8)) << "the next press stops again";
  EXPECT_FALSE(presses.was_told("eve", 7)) << "nobody takes another's press away";
}

TEST(StopPressesTest, WhatHasNoNumberStopsEachTime) {
  StopPresses presses;
  presses.note_told("ada", 0);
  EXPECT_FALSE(presses.was_told("ada", 0));
}

TEST(StopPressesTest, IsBounded) {
  StopPresses presses;
  for (std::uint64_t press = 1; press <= 2 * StopPresses::kMost; ++press) presses.note_told("ada", press);
  EXPECT_FALSE(presses.was_told("ada", StopPresses::kMost)) << "forgotten: it would stop again";
  EXPECT_TRUE(presses.was_told("ada", StopPresses::kMost + 1));
  EXPECT_TRUE(presses.was_told("ada", 2 * StopPresses::kMost));
}

}  // namespace
}  // namespace sinew
