// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/accounts/control_desk.h"

#include <gtest/gtest.h>

#include "sinew/accounts/test/accounts_bench.h"

namespace sinew::accounts {
namespace {

const Controller kAda{.user = "ada", .client = "c1", .session = 1};
const Controller kGrace{.user = "grace", .client = "c2", .session = 2};

TEST(ControlDesk, OneControlsAndTheRestWatch) {
  ControlDesk desk;
  EXPECT_FALSE(desk.who());
  const auto ada = desk.take(kAda, false);
  EXPECT_FALSE(ada.holder);
  EXPECT_EQ(desk.who()->user, "ada");
  EXPECT_EQ(desk.check(ada.token, "ada"), ControlCheck::Yours);

  const auto grace = desk.take(kGrace, false);
  EXPECT_TRUE(grace.token.empty());
  EXPECT_EQ(grace.holder->user, "ada");
  EXPECT_EQ(desk.check(ada.token, "ada"), ControlCheck::Yours);
  EXPECT_EQ(desk.check("", "grace"), ControlCheck::Another);
  // a token that was overheard is worth nothing to somebody else
  EXPECT_EQ(desk.check(ada.token, "grace"), ControlCheck::Another);
}

TEST(ControlDesk, TakenOverByForceTheOldTokenNeverWorksAgain) {
  ControlDesk desk;
  const auto ada = desk.take(kAda, false);
  const auto grace = desk.take(kGrace, true);
  EXPECT_EQ(*grace.holder, kAda);
  EXPECT_EQ(desk.check(ada.token, "ada"), ControlCheck::Another);
  EXPECT_FALSE(desk.leave(ada.token));
  EXPECT_EQ(desk.check(grace.token, "grace"), ControlCheck::Yours);
  const auto again = desk.take(kAda, true);
  EXPECT_NE(again.token, ada.token);
  EXPECT_EQ(desk.check(ada.token, "ada"), ControlCheck::Another);
}

TEST(ControlDesk, TheSameClientTakesAnewWithoutForce) {
  ControlDesk desk;
  const auto first = desk.take(kAda, false);
  const auto second = desk.take(kAda, false);
  EXPECT_FALSE(second.holder);
  EXPECT_EQ(desk.check(first.token, "ada"), ControlCheck::Another);
  EXPECT_EQ(desk.check(second.token, "ada"), ControlCheck::Yours);
  // but not from another tab
  EXPECT_TRUE(desk.take({.user = "ada", .client = "c9", .session = 1}, false).token.empty());
}

TEST(ControlDesk, EndsWithWhatItHungOn) {
  ControlDesk desk;
  auto taken = desk.take(kAda, false);
  EXPECT_FALSE(desk.client_gone("c2"));
  EXPECT_FALSE(desk.client_gone(""));
  EXPECT_TRUE(desk.client_gone("c1"));
  EXPECT_EQ(desk.check(taken.token, "ada"), ControlCheck::Lost);
  EXPECT_FALSE(desk.who());

  static_cast<void>(desk.take(kAda, false));
  EXPECT_FALSE(desk.session_gone(2));
  EXPECT_TRUE(desk.session_gone(1));
  static_cast<void>(desk.take({.user = "ada"}, false));
  EXPECT_FALSE(desk.session_gone(0));
  EXPECT_FALSE(desk.client_gone(""));
  EXPECT_FALSE(desk.user_gone("grace"));
  EXPECT_TRUE(desk.user_gone("ada"));
  taken = desk.take(kAda, false);
  EXPECT_TRUE(desk.leave(taken.token));
  EXPECT_FALSE(desk.leave(taken.token));
}

// nobody's token is the digest that stands there when nobody controls
TEST(ControlDesk, NobodyControlsWithAnyTokenWhenNobodyDoes) {
  ControlDesk desk;
  EXPECT_EQ(desk.check("", ""), ControlCheck::Lost);
  EXPECT_FALSE(desk.leave(""));
}

TEST(ControlDesk, TellsThatSomethingChanged) {
  ControlDesk desk;
  std::uint64_t before = desk.changes();
  const auto changed = [&] { return std::exchange(before, desk.changes()) != desk.changes(); };
  const auto taken = desk.take(kAda, false);
  EXPECT_TRUE(changed());
  static_cast<void>(desk.take(kGrace, false));
  EXPECT_FALSE(changed());
  static_cast<void>(desk.leave(taken.token));
  EXPECT_TRUE(changed());
}

}  // namespace
}  // namespace sinew::accounts
