// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/accounts/stop_rights.h"

#include <string>

#include <gtest/gtest.h>

#include "sinew/accounts/test/accounts_bench.h"

namespace sinew::accounts {
namespace {

class StopRightsTest : public testing::Test {
 protected:
  StopRightsTest() {
    EXPECT_TRUE(users_.add(
        {.name = "vera", .role = Role::Viewer, .password_hash = *hash_password("correct horse", kTestCost)}));
    token_ = sessions_.open("vera", 0);
  }
  StopRights rights(bool has_accounts = true) {
    return {{.has_accounts = has_accounts, .owner = 1000, .cookie_name = "c"}, users_, sessions_, 1};
  }
  /// What the gate says of the same.
  bool passes_gate(const Credentials& credentials, bool has_accounts = true) {
    ControlDesk desk;
    Gate gate(users_, sessions_, desk, {.has_accounts = has_accounts, .owner = 1000, .cookie_name = "c"});
    return gate.check(credentials, {.right = Right::Stop, .is_open_on_loopback = true, .changes = true}, 1)
        .is_ok();
  }

  Users users_;
  Sessions sessions_;
  std::string token_;
};

TEST_F(StopRightsTest, LetThroughWhomTheGateLetsThroughAndNobodyElse) {
  const std::string cookie = "c=" + token_;
  int known = 0;
  for (const bool has_accounts : {true, false})
    for (const bool is_loopback : {true, false})
      for (const bool is_own_page : {true, false})
        for (const std::string& shown : {std::string(), cookie, std::string("c=wrong")})
          for (const std::uint32_t user : {1000U, 1001U}) {
            Credentials credentials{
                .is_loopback = is_loopback, .system_user = user, .is_own_page = is_own_page};
            if (!shown.empty()) credentials.cookie = shown;
            const auto who = rights(has_accounts).who(credentials);
            if (who) {
              ++known;
              EXPECT_TRUE(passes_gate(credentials, has_accounts)) << shown;
            }
          }
  EXPECT_GT(known, 8);
  EXPECT_EQ(rights().who({.cookie = cookie}), "vera");
  EXPECT_EQ(rights().who({.authorization = "Bearer " + token_}), "vera");
  EXPECT_EQ(rights().who({.is_loopback = true}), "");
  // whoever says something that is not known is for the gate
  EXPECT_FALSE(rights().who({.cookie = "c=wrong", .is_loopback = true}));
  EXPECT_FALSE(rights().who({.cookie = cookie, .is_own_page = false}));
  EXPECT_FALSE(StopRights().who({.is_loopback = true}));
}

TEST_F(StopRightsTest, WhoseSessionIsOverIsNotLetThrough) {
  sessions_.close_all_of("vera");
  EXPECT_FALSE(rights().who({.cookie = "c=" + token_}));
}

}  // namespace
}  // namespace sinew::accounts
