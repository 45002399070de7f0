// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/accounts/first_code.h"

#include <set>

#include <gtest/gtest.h>

#include "sinew/accounts/test/accounts_bench.h"

namespace sinew::accounts {
namespace {

TEST(FirstCode, HasTwoGroupsOfFourThatCanBeReadAloud) {
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) {
    const std::string text = FirstCode::random(fill_random).text();
    ASSERT_EQ(text.size(), 9U);
    EXPECT_EQ(text[4], '-');
    EXPECT_EQ(text.find_first_of("01OIabc"), std::string::npos);
    EXPECT_TRUE(seen.insert(text).second);
  }
}

TEST(FirstCode, IsAcceptedHoweverItIsTyped) {
  FirstCode code = FirstCode::from("K7QM-3XPA");
  EXPECT_EQ(code.text(), "K7QM-3XPA");
  for (const std::string_view typed : {"K7QM-3XPA", "k7qm-3xpa", "K7QM3XPA", " K7QM 3XPA "})
    EXPECT_TRUE(code.accepts(typed)) << typed;
  EXPECT_FALSE(code.accepts("K7QM-3XPB"));
  EXPECT_FALSE(code.accepts("K7QM-3XP"));
  EXPECT_FALSE(code.accepts(""));
}

TEST(FirstCode, IsUsedUpByTenWrongOnes) {
  FirstCode code = FirstCode::from("K7QM-3XPA");
  for (int i = 0; i < FirstCode::kMostTries - 1; ++i) EXPECT_FALSE(code.accepts("AAAA-AAAA"));
  EXPECT_TRUE(code.accepts("K7QM-3XPA"));
  EXPECT_FALSE(code.accepts("AAAA-AAAA"));
  EXPECT_TRUE(code.is_used_up());
  EXPECT_FALSE(code.accepts("K7QM-3XPA"));
}

TEST(FirstCode, IsWorthOneAccount) {
  FirstCode code = FirstCode::random(seeded_randomness(1));
  const std::string text = code.text();
  EXPECT_TRUE(code.accepts(text));
  code.use_up();
  EXPECT_FALSE(code.accepts(text));
  // and nothing is the code of one that is used up
  EXPECT_FALSE(code.accepts(""));
  EXPECT_FALSE(FirstCode().accepts(""));
}

TEST(FirstCode, WhatIsNoCodeIsUsedUp) {
  for (const std::string_view text : {"", "K7QM", "K7QM-3XP0", "K7QM-3XPA-AAAA", "-", "        "})
    EXPECT_TRUE(FirstCode::from(text).is_used_up()) << text;
}

}  // namespace
}  // namespace sinew::accounts
