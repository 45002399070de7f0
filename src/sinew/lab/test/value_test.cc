// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/lab/value.h"

#include <array>
#include <limits>

#include <gtest/gtest.h>

namespace sinew::lab {
namespace {

constexpr std::array<std::string_view, 2> kNames{"x", "y"};

std::string refusal(const Value& value) {
  const auto numbers = numbers_from(value, "f", kNames);
  return numbers ? "" : numbers.error().message;
}

TEST(LabValue, AListOfFiniteNumbersIsTaken) {
  const auto numbers = numbers_from(Value(std::vector<Value>{1.0, -2.5}), "f", kNames);
  ASSERT_TRUE(numbers);
  EXPECT_EQ(*numbers, (std::vector<double>{1.0, -2.5}));
}

TEST(LabValue, AllElseIsRefusedInWords) {
  EXPECT_EQ(refusal(Value()), "what f() answers is None; a list of 2 numbers is wanted");
  EXPECT_EQ(refusal(Value(3.0)), "what f() answers is 3; a list of 2 numbers is wanted");
  EXPECT_EQ(refusal(Value(std::vector<Value>{1.0})), "what f() answers has 1 numbers: [1]; 2 are wanted");
  EXPECT_EQ(refusal(Value(std::vector<Value>{1.0, std::string("a")})),
            "what f() answers has 'a' for 'y'; a number is wanted");
  EXPECT_EQ(refusal(Value(std::vector<Value>{std::numeric_limits<double>::infinity(), 1.0})),
            "what f() answers has inf for 'x': not a finite number");
}

TEST(LabValue, RowsAreCounted) {
  const Value row(std::vector<Value>{1.0, 2.0});
  const Value rows(std::vector<Value>{row, row, row});
  EXPECT_TRUE(rows_from(rows, "f", 3, 2));
  EXPECT_TRUE(rows_from(rows, "f", 0, 2));
  EXPECT_EQ(rows_from(rows, "f", 2, 2).error().message,
            "what f() answers has 3 rows; 2 rows of 2 numbers are wanted");
  EXPECT_FALSE(rows_from(rows, "f", 3, 3));
  EXPECT_FALSE(rows_from(row, "f", 0, 2));
}

TEST(LabValue, LongAnswersAreShortened) {
  const Value many(std::vector<Value>(100'000, Value(0.123456)));
  EXPECT_LT(value_text(many).size(), 100U);
}

}  // namespace
}  // namespace sinew::lab
