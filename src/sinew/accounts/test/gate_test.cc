// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/accounts/gate.h"

#include <gtest/gtest.h>

#include "sinew/accounts/test/accounts_bench.h"

namespace sinew::accounts {
namespace {

class GateTest : public testing::Test {
 protected:
  GateTest() {
    for (const auto& [name, role] :
         {std::pair("vera", Role::Viewer), {"otto", Role::Operator}, {"ada", Role::Expert}})
      EXPECT_TRUE(users_.add(test_user(name, role)));
  }

  Credentials by_cookie(const std::string& user) {
    return {.cookie = "theme=dark; sinew_session=" + sessions_.open(user, 0), .peer = "10.0.0.1"};
  }
  GateVerdict check(const Credentials& credentials, const Need& need) {
    return gate_.check(credentials, need, 1);
  }

  Users users_;
  Sessions sessions_;
  ControlDesk desk_;
  Gate gate_{users_, sessions_, desk_, {}};
};

const Need kMove{.right = Right::Move, .needs_control = true, .changes = true};

TEST_F(GateTest, WithoutASessionNothingIsHad) {
  for (const Credentials& credentials :
       {Credentials{}, Credentials{.cookie = "sinew_session="}, Credentials{.cookie = "sinew_session=AAAA"},
        Credentials{.authorization = "Bearer AAAA"}, Credentials{.authorization = "Basic YTpi"},
        Credentials{.is_loopback = true, .system_user = 0}}) {
    const GateVerdict verdict = check(credentials, {});
    EXPECT_EQ(verdict.status, 401U);
    EXPECT_EQ(verdict.error, "log in first");
    EXPECT_TRUE(verdict.who.user.empty());
  }
}

TEST_F(GateTest, ASessionIsShownByCookieOrBearer) {
  const std::string token = sessions_.open("ada", 0);
  EXPECT_EQ(check({.cookie = "sinew_session=" + token}, {}).who.user, "ada");
  EXPECT_EQ(check({.authorization = "bearer  " + token}, {}).who.user, "ada");
  EXPECT_EQ(check({.authorization = "Bearer " + token}, {}).who.role, Role::Expert);
  // two cookies of one name come from two places, and one of them is not us
  EXPECT_EQ(check({.cookie = "sinew_session=x; sinew_session=" + token}, {}).status, 401U);
  EXPECT_EQ(check({.cookie = "other_sinew_session=" + token}, {}).status, 401U);
}

TEST_F(GateTest, TheRoleDecidesWithAReason) {
  const GateVerdict verdict = check(by_cookie("vera"), kMove);
  EXPECT_EQ(verdict.status, 403U);
  EXPECT_EQ(verdict.error, "'vera' is viewer and may not move the robot: that takes operator");
  EXPECT_TRUE(check(by_cookie("vera"), {.right = Right::Stop, .changes = true}).is_ok());
  EXPECT_EQ(check(by_cookie("otto"), {.right = Right::ManageUsers}).status, 403U);
  EXPECT_TRUE(check(by_cookie("ada"), {.right = Right::ManageUsers}).is_ok());
}

TEST_F(GateTest, WhatMovesNeedsTheTokenOfWhoControls) {
  Credentials otto = by_cookie("otto");
  GateVerdict verdict = check(otto, kMove);
  EXPECT_EQ(verdict.status, 409U);
  EXPECT_EQ(verdict.error, "nobody controls the robot: take control first");
  EXPECT_EQ(verdict.holder, "");

  const std::string token = desk_.take({.user = "ada"}, false).token;
  verdict = check(otto, kMove);
  EXPECT_EQ(verdict.status, 409U);
  EXPECT_EQ(verdict.holder, "ada");
  // with the token of another user
  otto.control = token;
  EXPECT_EQ(check(otto, kMove).status, 409U);

  Credentials ada = by_cookie("ada");
  ada.control = token;
  EXPECT_TRUE(check(ada, kMove).is_ok());
  ada.control = "old";
  verdict = check(ada, kMove);
  EXPECT_EQ(verdict.status, 409U);
  EXPECT_EQ(verdict.error, "you control the robot from elsewhere: take control here");
}

TEST_F(GateTest, ARoleIsLookedUpEachTime) {
  const Credentials otto = by_cookie("otto");
  EXPECT_EQ(check(otto, kMove).status, 409U);
  ASSERT_TRUE(users_.set_role("otto", Role::Viewer));
  EXPECT_EQ(check(otto, kMove).status, 403U);
  ASSERT_TRUE(users_.remove("otto"));
  EXPECT_EQ(check(otto, kMove).status, 401U);
}

TEST_F(GateTest, StrangePagesChangeNothingButMayBeLookedAt) {
  Credentials ada = by_cookie("ada");
  ada.is_own_page = false;
  EXPECT_EQ(check(ada, {.right = Right::Stop, .changes = true}).status, 403U);
  EXPECT_TRUE(check(ada, {}).is_ok());
}

TEST_F(GateTest, SomeThingsAreOpenToThisMachine) {
  const Need look{.is_open_on_loopback = true};
  EXPECT_TRUE(check({.is_loopback = true}, look).is_ok());
  EXPECT_EQ(check({.peer = "10.0.0.1"}, look).status, 401U);
  EXPECT_EQ(check(by_cookie("vera"), look).who.user, "vera");
  EXPECT_TRUE(check({.peer = "10.0.0.1"}, {.is_open_to_all = true}).is_ok());
}

TEST_F(GateTest, ASessionEndsAtTheGateToo) {
  const Credentials ada = by_cookie("ada");
  EXPECT_TRUE(gate_.check(ada, {}, 29 * 60 * kSecond_ns).is_ok());
  EXPECT_TRUE(gate_.check(ada, {}, 58 * 60 * kSecond_ns).is_ok());
  EXPECT_EQ(gate_.check(ada, {}, 88 * 60 * kSecond_ns).status, 401U);
}

TEST_F(GateTest, WithoutAccountsOnlyTheOwnerOnThisMachineIsLetIn) {
  Gate gate(users_, sessions_, desk_, {.has_accounts = false, .owner = 1000});
  const GateVerdict owner =
      gate.check({.is_loopback = true, .system_user = 1000}, {.right = Right::ManageUsers}, 1);
  EXPECT_TRUE(owner.is_ok());
  EXPECT_EQ(owner.who.user, "local");
  EXPECT_TRUE(gate.check({.is_loopback = true, .system_user = 0}, {}, 1).is_ok());
  for (const Credentials& stranger :
       {Credentials{.is_loopback = true, .system_user = 1001}, Credentials{.is_loopback = true},
        Credentials{.is_loopback = false, .system_user = 1000}})
    EXPECT_EQ(gate.check(stranger, {}, 1).status, 401U);
  // a session of before is none
  EXPECT_EQ(gate.check(by_cookie("ada"), {}, 1).status, 401U);
  // and control is asked for all the same
  EXPECT_EQ(gate.check({.is_loopback = true, .system_user = 1000}, kMove, 1).status, 409U);
}

TEST(Cookie, IsFoundAmongOthers) {
  EXPECT_EQ(cookie_value("a=1;b=2 ; c=3=4", "b"), "2");
  EXPECT_EQ(cookie_value("a=1;b=2; c=3=4", "c"), "3=4");
  EXPECT_EQ(cookie_value("a", "a"), std::nullopt);
  EXPECT_EQ(cookie_value("", "a"), std::nullopt);
  EXPECT_EQ(cookie_value(";;;=;", "a"), std::nullopt);
  EXPECT_EQ(cookie_value("a=1; a=1", "a"), std::nullopt);
  EXPECT_EQ(bearer_token("Bearer"), std::nullopt);
  EXPECT_EQ(bearer_token("Bearer  "), std::nullopt);
}

}  // namespace
}  // namespace sinew::accounts
