// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/base/split_mix.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace sinew {
namespace {

// the first numbers of the authors' own program for the seed 1234567
TEST(SplitMix, AreTheNumbersThatItsAuthorsHave) {
  SplitMix numbers(1234567);
  EXPECT_EQ(numbers.number(), 6457827717110365317U);
  EXPECT_EQ(numbers.number(), 3203168211198807973U);
  EXPECT_EQ(mixed(1234567), 6457827717110365317U);
}

TEST(SplitMix, StayBetweenTheirBounds) {
  SplitMix numbers(7);
  double lowest = 1.0;
  double highest = -1.0;
  for (int i = 0; i < 10000; ++i) {
    const double drawn = numbers.between(-0.5, 0.25);
    lowest = std::min(lowest, drawn);
    highest = std::max(highest, drawn);
  }
  EXPECT_GE(lowest, -0.5);
  EXPECT_LT(highest, 0.25);
  EXPECT_LT(lowest, -0.49);
  EXPECT_GT(highest, 0.24);
}

}  // namespace
}  // namespace sinew
