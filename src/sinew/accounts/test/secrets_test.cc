// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/accounts/secrets.h"

#include <set>

#include <gtest/gtest.h>

#include "sinew/accounts/test/accounts_bench.h"

namespace sinew::accounts {
namespace {

TEST(Secrets, APasswordIsKnownByItsHashAndNoOtherIs) {
  const auto hash = hash_password("correct horse", kTestCost);
  ASSERT_TRUE(hash);
  EXPECT_TRUE(hash->starts_with("$argon2id$v=19$m=8,t=1,p=1$")) << *hash;
  EXPECT_TRUE(*is_password("correct horse", *hash));
  EXPECT_FALSE(*is_password("correct horsf", *hash));
  EXPECT_FALSE(*is_password("", *hash));
  EXPECT_FALSE(*is_password(std::string_view("correct horse\0", 14), *hash));
}

TEST(Secrets, EqualPasswordsHaveDifferentHashes) {
  EXPECT_NE(*hash_password("correct horse", kTestCost), *hash_password("correct horse", kTestCost));
}

// half a second: the cost that is really used must work on this machine
TEST(Secrets, TheCostOfEverydayWorks) {
  const auto hash = hash_password("correct horse", PasswordCost{});
  ASSERT_TRUE(hash);
  EXPECT_TRUE(hash->starts_with("$argon2id$v=19$m=262144,t=3,p=1$")) << *hash;
  EXPECT_TRUE(check_password_hash(*hash));
  EXPECT_TRUE(*is_password("correct horse", *hash));
}

TEST(Secrets, AHashThatAsksForTooMuchIsRefusedBeforeItIsTried) {
  const std::string end = "$c2FsdHNhbHRzYWx0c2FsdA$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2g";
  EXPECT_TRUE(check_password_hash("$argon2id$v=19$m=262144,t=3,p=1" + end));
  const auto large = check_password_hash("$argon2id$v=19$m=4194304,t=3,p=1" + end);
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().message,
            "the hash asks for 3 passes over too much memory; at most 16 over 1024 MiB");
  EXPECT_FALSE(check_password_hash("$argon2id$v=19$m=64,t=1000000,p=1" + end));
  EXPECT_FALSE(is_password("x", "$argon2id$v=19$m=18446744073709551615,t=1,p=1" + end));
}

TEST(Secrets, WhatIsNoHashIsRefused) {
  for (const std::string text :
       {"", "secret", "$argon2i$v=19$m=8,t=1,p=1$a$b", "$argon2id$v=19$m=8,t=1,p=2$a$b",
        "$argon2id$v=19$m=8,t=1,p=1$a", "$argon2id$v=19$m=-8,t=1,p=1$a$b", "$argon2id$v=19$m=8,t=1,p=1$$b",
        "$argon2id$v=19$m=8,t=1,p=1$a$b$c"}) {
    EXPECT_FALSE(check_password_hash(text)) << text;
    EXPECT_FALSE(is_password("x", text)) << text;
  }
  EXPECT_FALSE(check_password_hash("$argon2id$v=19$m=8,t=1,p=1$a$" + std::string(500, 'b')));
}

TEST(Secrets, TokensAre43LettersForACookieAndNeverTheSame) {
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) {
    const std::string token = random_token(fill_random);
    EXPECT_EQ(token.size(), 43U);
    EXPECT_EQ(token.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"),
              std::string::npos);
    EXPECT_TRUE(seen.insert(token).second);
  }
}

TEST(Secrets, SecretsAreTheSameOnlyAsAWhole) {
  EXPECT_TRUE(is_same_secret("abc", "abc"));
  EXPECT_TRUE(is_same_secret("", ""));
  EXPECT_FALSE(is_same_secret("abc", "abd"));
  EXPECT_FALSE(is_same_secret("abc", "ab"));
}

TEST(Secrets, NewPasswordsHaveBounds) {
  EXPECT_TRUE(check_new_password(std::string(8, 'a')));
  EXPECT_TRUE(check_new_password(std::string(256, 'a')));
  EXPECT_FALSE(check_new_password(std::string(257, 'a')));
  const auto refused = check_new_password("1234567");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "the password has 7 letters and must have 8 to 256");
}

}  // namespace
}  // namespace sinew::accounts
