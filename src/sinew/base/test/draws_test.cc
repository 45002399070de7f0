// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/base/draws.h"

#include <gtest/gtest.h>

namespace sinew {
namespace {

// what graded exercises and benchmarks draw must not change with a compiler, nor with us
TEST(Draws, AreTheSameOnEveryMachine) {
  Draws draws(5489);
  EXPECT_EQ(draws.number(), 14514284786278117030U) << "the first of std::mt19937_64, by its standard";
  EXPECT_EQ(Draws(1).between(-1.0, 1.0), Draws(1).between(-1.0, 1.0));
  EXPECT_NE(Draws(1).between(-1.0, 1.0), Draws(2).between(-1.0, 1.0));
}

TEST(Draws, StayBetweenTheirBounds) {
  Draws draws(7);
  double sum = 0.0;
  for (int i = 0; i < 10'000; ++i) {
    const double number = draws.between(2.0, 4.0);
    ASSERT_GE(number, 2.0);
    ASSERT_LT(number, 4.0);
    sum += number;
  }
  EXPECT_NEAR(sum / 10'000, 3.0, 0.05);
}

}  // namespace
}  // namespace sinew
