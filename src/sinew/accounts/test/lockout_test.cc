// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/accounts/lockout.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace sinew::accounts {
namespace {

TEST(Lockout, FiveWrongPasswordsLockANameForTheirAddressOnly) {
  Lockout lockout;
  for (int i = 0; i < 5; ++i) EXPECT_EQ(lockout.begin("ada", "10.0.0.1", kSecond_ns), 0);
  EXPECT_EQ(lockout.begin("ada", "10.0.0.1", kSecond_ns), 30 * kSecond_ns);
  EXPECT_EQ(lockout.begin("ada", "10.0.0.1", 11 * kSecond_ns), 20 * kSecond_ns);
  // ada herself sits elsewhere
  EXPECT_EQ(lockout.begin("ada", "10.0.0.2", 11 * kSecond_ns), 0);
  lockout.was_right("ada", "10.0.0.2");
  EXPECT_EQ(lockout.begin("ada", "10.0.0.1", 12 * kSecond_ns), 19 * kSecond_ns)
      << "which forgives nobody else";
  EXPECT_EQ(lockout.begin("grace", "10.0.0.1", kSecond_ns), 0);
  EXPECT_EQ(lockout.begin("ada", "10.0.0.1", 31 * kSecond_ns), 0);
}

TEST(Lockout, EachFurtherMistakeDoublesTheWaitUpToAQuarterOfAnHour) {
  Lockout lockout;
  std::int64_t now_ns = 0;
  for (int i = 0; i < 4; ++i) EXPECT_EQ(lockout.begin("ada", "10.0.0.1", now_ns), 0);
  for (const std::int64_t seconds : {30, 60, 120, 240, 480, 900, 900, 900}) {
    EXPECT_EQ(lockout.begin("ada", "10.0.0.1", now_ns), 0);
    EXPECT_EQ(lockout.begin("ada", "10.0.0.1", now_ns), seconds * kSecond_ns);
    now_ns += seconds * kSecond_ns;
  }
}

TEST(Lockout, TwentyWrongPasswordsLockAnAddressForAllNames) {
  Lockout lockout;
  for (int i = 0; i < 20; ++i) EXPECT_EQ(lockout.begin(fmt::format("user{}", i), "10.0.0.1", 0), 0);
  EXPECT_EQ(lockout.begin("somebody", "10.0.0.1", 0), 30 * kSecond_ns);
  EXPECT_EQ(lockout.begin("somebody", "10.0.0.2", 0), 0);
}

// who has an account must not use it to guess at others'
TEST(Lockout, OnesOwnPasswordDoesNotPayForGuesses) {
  Lockout lockout;
  int guesses = 0;
  for (int i = 0; i < 100 && lockout.begin(fmt::format("user{}", i), "10.0.0.1", 0) == 0; ++i) {
    ++guesses;
    if (lockout.begin("eve", "10.0.0.1", 0) == 0) lockout.was_right("eve", "10.0.0.1");
  }
  EXPECT_EQ(guesses, 20);
}

TEST(Lockout, TheRightPasswordForgivesANameItsMistakes) {
  Lockout lockout;
  for (int round = 0; round < 10; ++round) {
    for (int i = 0; i < 4; ++i) EXPECT_EQ(lockout.begin("ada", "10.0.1.1", round), 0);
    EXPECT_EQ(lockout.begin("ada", "10.0.1.1", round), 0);
    lockout.was_right("ada", "10.0.1.1");
    for (int i = 0; i < 4; ++i) lockout.take_back("nobody", "10.0.1.1");
  }
}

TEST(Lockout, ARightPasswordAfterFourWrongOnesLocksNobody) {
  Lockout lockout;
  for (int i = 0; i < 5; ++i) EXPECT_EQ(lockout.begin("ada", "10.0.0.1", 0), 0);
  lockout.was_right("ada", "10.0.0.1");
  EXPECT_EQ(lockout.begin("ada", "10.0.0.1", 0), 0);
}

TEST(Lockout, ATryThatWasNotMadeDoesNotCount) {
  Lockout lockout;
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(lockout.begin("ada", "10.0.0.1", 0), 0);
    lockout.take_back("ada", "10.0.0.1");
  }
  EXPECT_EQ(lockout.remembered(), 0U);
}

TEST(Lockout, AnHourWithoutMistakesMakesThemForgotten) {
  Lockout lockout;
  for (int i = 0; i < 4; ++i) EXPECT_EQ(lockout.begin("ada", "10.0.0.1", 0), 0);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(lockout.begin("ada", "10.0.0.1", 3600 * kSecond_ns), 0);
}

TEST(Lockout, RemembersSoManyAndFirstOfAllThoseWhoAreLocked) {
  Lockout lockout({.most_remembered = 50});
  for (int i = 0; i < 5; ++i) EXPECT_EQ(lockout.begin("ada", "10.0.0.1", 0), 0);
  for (int i = 0; i < 1000; ++i)
    static_cast<void>(
        lockout.begin(fmt::format("user{}", i), fmt::format("10.1.{}.{}", i / 250, i % 250), 1));
  EXPECT_LE(lockout.remembered(), 100U);
  EXPECT_GT(lockout.begin("ada", "10.0.0.1", 2), 0);
}

TEST(Lockout, AddressesOfOneNetworkOfVersion6AreOne) {
  EXPECT_EQ(address_group("2001:db8:1:2:3:4:5:6"), address_group("2001:db8:1:2:ffff::1"));
  EXPECT_NE(address_group("2001:db8:1:2::1"), address_group("2001:db8:1:3::1"));
  EXPECT_EQ(address_group("::ffff:10.0.0.1"), "10.0.0.1");
  EXPECT_EQ(address_group("10.0.0.1"), "10.0.0.1");
  EXPECT_EQ(address_group("nonsense"), "nonsense");
}

}  // namespace
}  // namespace sinew::accounts
