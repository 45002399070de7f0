// SPDX-License-Identifier: BSD-3-Clause
#include "apps/cli/typed_ahead.h"

#include <string>

#include <gtest/gtest.h>

namespace sinew::cli {
namespace {

TEST(TypedAheadTest, AStopNeedNotWaitForWhatWasSentBeforeIt) {
  TypedAhead ahead(false);
  ahead.take("goto LSP 0\nget LSP\nst");
  EXPECT_FALSE(ahead.take_stop()) << "half a word";
  ahead.take("op\r\nreset\n");
  EXPECT_TRUE(ahead.take_stop());
  EXPECT_EQ(ahead.dropped(), 2U);
  EXPECT_EQ(ahead.next_line(), "reset") << "what follows it stays";
  EXPECT_FALSE(ahead.take_stop()) << "it counts once";
  EXPECT_EQ(ahead.next_line(), std::nullopt);
}

TEST(TypedAheadTest, WhileNobodyWaitsAStopHasItsTurn) {
  TypedAhead ahead(false);
  ahead.take("get LSP\n\n  stop \nget LSR\n");
  EXPECT_EQ(ahead.next_line(), "get LSP");
  EXPECT_EQ(ahead.next_line(), "  stop ");
  EXPECT_EQ(ahead.next_line(), "get LSR");
}

TEST(TypedAheadTest, OnlyTheWordAloneStops) {
  TypedAhead ahead(false);
  ahead.take(" stopp\nget stop\nstop now\n");
  EXPECT_FALSE(ahead.take_stop());
  EXPECT_EQ(ahead.next_line(), " stopp") << "a blank is no key where lines come from a pipe";
}

TEST(TypedAheadTest, TheStopKeyCountsAtTheBeginningOfALine) {
  TypedAhead keys(true);
  keys.take("get WST");
  EXPECT_FALSE(keys.take_stop()) << "blanks between words are typed all the time";
  keys.take("\nlater\n ");
  EXPECT_TRUE(keys.take_stop());
  EXPECT_EQ(keys.dropped(), 2U);
  EXPECT_EQ(keys.next_line(), std::nullopt);
}

TEST(TypedAheadTest, KeysAreShownAndCanBeRubbedOut) {
  TypedAhead keys(true);
  keys.take("gex\177t\033[A\033OB\t L");
  EXPECT_EQ(keys.take_echo(), "gex\b \bt L") << "arrows and Tab mean nothing here";
  EXPECT_FALSE(keys.take_stop());
  EXPECT_EQ(keys.take_begun(), "get L");
  keys.take("abc\025");
  EXPECT_EQ(keys.take_begun(), "");
  EXPECT_EQ(keys.take_echo(), "abc\b \b\b \b\b \b");
}

}  // namespace
}  // namespace sinew::cli
