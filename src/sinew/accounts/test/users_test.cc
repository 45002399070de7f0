// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/accounts/users.h"

#include <gtest/gtest.h>

#include "sinew/accounts/test/accounts_bench.h"

namespace sinew::accounts {
namespace {

TEST(Users, NamesAreKeptInSmallLetters) {
  EXPECT_EQ(*user_name_from("Ada"), "ada");
  EXPECT_EQ(*user_name_from("grace.m_h-2"), "grace.m_h-2");
}

TEST(Users, WhatIsNoNameIsRefused) {
  for (const std::string text : {"", "2ada", ".ada", "a b", "ada\n", "ada/..", "\xc3\xa4", "Local", "local"})
    EXPECT_FALSE(user_name_from(text)) << text;
  EXPECT_TRUE(user_name_from(std::string(32, 'a')));
  EXPECT_FALSE(user_name_from(std::string(33, 'a')));
}

TEST(Users, TheLastExpertStays) {
  Users users;
  ASSERT_TRUE(users.add(test_user("ada", Role::Expert)));
  ASSERT_TRUE(users.add(test_user("grace", Role::Operator)));
  const auto removed = users.remove("ada");
  ASSERT_FALSE(removed);
  EXPECT_EQ(removed.error().message,
            "'ada' is the last expert, and somebody must be; make another one first");
  EXPECT_FALSE(users.set_role("ada", Role::Programmer));
  EXPECT_TRUE(users.set_role("ada", Role::Expert));

  ASSERT_TRUE(users.set_role("grace", Role::Expert));
  EXPECT_TRUE(users.set_role("ada", Role::Viewer));
  EXPECT_TRUE(users.remove("ada"));
  EXPECT_FALSE(users.remove("grace"));
  EXPECT_EQ(users.all().size(), 1U);
}

TEST(Users, ANameIsTakenOnlyOnce) {
  Users users;
  ASSERT_TRUE(users.add(test_user("ada", Role::Expert)));
  const auto again = users.add(test_user("ADA", Role::Viewer));
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::AlreadyExists);
  EXPECT_EQ(users.find("ada")->role, Role::Expert);
}

TEST(Users, WhoIsNotThereCannotBeChanged) {
  Users users;
  EXPECT_EQ(users.find("ada"), nullptr);
  EXPECT_EQ(users.remove("ada").error().message, "there is no user 'ada'");
  EXPECT_EQ(users.set_role("ada", Role::Viewer).error().code, ErrorCode::NotFound);
  EXPECT_EQ(users.set_password_hash("ada", "x").error().code, ErrorCode::NotFound);
}

TEST(Users, ThereAreAtMost64) {
  Users users;
  const std::string hash = *hash_password("correct horse", kTestCost);
  for (std::size_t i = 0; i < Users::kMost; ++i)
    ASSERT_TRUE(users.add({.name = "u" + std::to_string(i), .role = Role::Expert, .password_hash = hash}));
  EXPECT_EQ(users.add(test_user("one-more", Role::Viewer)).error().code, ErrorCode::Full);
}

TEST(Users, APasswordIsKeptAsAHashOnly) {
  Users users;
  EXPECT_FALSE(users.add({.name = "ada", .role = Role::Expert, .password_hash = "secret"}));
  ASSERT_TRUE(users.add(test_user("ada", Role::Expert)));
  EXPECT_FALSE(users.set_password_hash("ada", "secret"));
  const std::string hash = *hash_password("another one", kTestCost);
  ASSERT_TRUE(users.set_password_hash("ada", hash));
  EXPECT_EQ(users.find("ada")->password_hash, hash);
}

}  // namespace
}  // namespace sinew::accounts
