// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/base/result.h"

#include <memory>
#include <string>

#include <gtest/gtest.h>

namespace sinew {
namespace {

Result<int> half_of(int number) {
  if (number % 2 != 0) return Error{ErrorCode::InvalidInput, "odd"};
  return number / 2;
}

TEST(ResultTest, CarriesAValueOrAReason) {
  const Result<int> good = half_of(8);
  ASSERT_TRUE(good);
  EXPECT_EQ(*good, 4);
  const Result<int> bad = half_of(7);
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().code, ErrorCode::InvalidInput);
  EXPECT_EQ(bad.error().message, "odd");
  EXPECT_EQ(bad.value_or(-1), -1);
}

TEST(ResultTest, CarriesWhatCanOnlyBeMoved) {
  Result<std::unique_ptr<int>> owner = std::make_unique<int>(5);
  const std::unique_ptr<int> taken = *std::move(owner);
  EXPECT_EQ(*taken, 5);
}

TEST(ResultTest, StatusIsDoneOrAnError) {
  const Status good = Done{};
  const Status bad = Error{ErrorCode::Full, "no room"};
  EXPECT_TRUE(good);
  EXPECT_FALSE(bad);
}

TEST(ResultDeathTest, ReadingTheValueOfARefusalEndsTheProcess) {
  const Result<std::string> bad = Error{ErrorCode::NotFound, "gone"};
  EXPECT_DEATH(static_cast<void>(bad->size()), "bug: 'has_value\\(\\)' does not hold");
}

TEST(ResultTest, EveryCodeHasAName) {
  EXPECT_EQ(error_code_text(ErrorCode::Denied), "denied");
  EXPECT_EQ(error_code_text(ErrorCode::SystemFailure), "system failure");
}

}  // namespace
}  // namespace sinew
