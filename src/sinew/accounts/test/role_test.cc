// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/accounts/role.h"

#include <gtest/gtest.h>

namespace sinew::accounts {
namespace {

constexpr int kRights = static_cast<int>(Right::RestartProcesses) + 1;

TEST(Role, EachMayAllThatTheOneBeforeMay) {
  for (int right = 0; right < kRights; ++right) {
    for (int role = 1; role < 4; ++role) {
      const bool could = may(static_cast<Role>(role - 1), static_cast<Right>(right));
      EXPECT_TRUE(!could || may(static_cast<Role>(role), static_cast<Right>(right)));
    }
  }
}

TEST(Role, ViewersOnlyWatchAndStop) {
  for (int right = 0; right < kRights; ++right) {
    const bool is_for_all =
        static_cast<Right>(right) == Right::Watch || static_cast<Right>(right) == Right::Stop;
    EXPECT_EQ(may(Role::Viewer, static_cast<Right>(right)), is_for_all) << right;
  }
}

TEST(Role, OperatorsMoveAndProgrammersTeach) {
  EXPECT_TRUE(may(Role::Operator, Right::Move));
  EXPECT_FALSE(may(Role::Operator, Right::Teach));
  EXPECT_TRUE(may(Role::Programmer, Right::Teach));
  for (const Right right : {Right::ManageUsers, Right::ChangeLimits, Right::OverrideGuard, Right::BackUp,
                            Right::AddRobot, Right::RestartProcesses}) {
    EXPECT_FALSE(may(Role::Programmer, right));
    EXPECT_TRUE(may(Role::Expert, right));
    EXPECT_EQ(least_role_for(right), Role::Expert);
  }
}

TEST(Role, WordsComeBackAsTheyWent) {
  for (int i = 0; i < 4; ++i) {
    const auto role = static_cast<Role>(i);
    EXPECT_EQ(*role_from(role_text(role)), role);
  }
  const auto refused = role_from("bo\x1bss");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "'bo?ss' is no role; there are viewer, operator, programmer, expert");
  EXPECT_FALSE(role_from("Expert"));
}

}  // namespace
}  // namespace sinew::accounts
