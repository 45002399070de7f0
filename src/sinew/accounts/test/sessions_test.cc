// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/accounts/sessions.h"

#include <gtest/gtest.h>

namespace sinew::accounts {
namespace {

constexpr std::int64_t kMinute_ns = 60 * kSecond_ns;

TEST(Sessions, ATokenTellsWhoHasIt) {
  Sessions sessions;
  const std::string ada = sessions.open("ada", 0);
  const std::string grace = sessions.open("grace", 0);
  EXPECT_EQ(sessions.use(ada, 1)->user, "ada");
  EXPECT_EQ(sessions.use(grace, 1)->user, "grace");
  EXPECT_NE(sessions.use(ada, 1)->number, sessions.use(grace, 1)->number);
  EXPECT_FALSE(sessions.use("", 1));
  EXPECT_FALSE(sessions.use(ada.substr(1), 1));
  EXPECT_FALSE(sessions.use(ada + "A", 1));
}

TEST(Sessions, EndWithoutUse) {
  Sessions sessions;
  const std::string token = sessions.open("ada", 0);
  std::int64_t now_ns = 0;
  for (int i = 0; i < 10; ++i) {
    now_ns += 29 * kMinute_ns;
    EXPECT_TRUE(sessions.use(token, now_ns));
  }
  now_ns += 30 * kMinute_ns;
  EXPECT_FALSE(sessions.use(token, now_ns));
  // and do not come back
  EXPECT_FALSE(sessions.use(token, now_ns - kMinute_ns));
  EXPECT_EQ(sessions.count(), 0U);
}

TEST(Sessions, AskingWhetherOneIsOpenIsNoUseOfIt) {
  Sessions sessions;
  const std::string token = sessions.open("ada", 0);
  const SessionNumber number = sessions.use(token, 0)->number;
  EXPECT_TRUE(sessions.is_open(number, 29 * kMinute_ns));
  EXPECT_FALSE(sessions.is_open(number, 30 * kMinute_ns));
  EXPECT_FALSE(sessions.is_open(number + 1, 0));
  sessions.close(number);
  EXPECT_FALSE(sessions.is_open(number, 0));
}

TEST(Sessions, EndAfterTwelveHoursHoweverMuchTheyAreUsed) {
  Sessions sessions;
  const std::string token = sessions.open("ada", 0);
  for (int minute = 0; minute < 12 * 60; ++minute) EXPECT_TRUE(sessions.use(token, minute * kMinute_ns));
  EXPECT_FALSE(sessions.use(token, 12 * 60 * kMinute_ns));
}

TEST(Sessions, AUserHasSoManyAndTheOneUnusedLongestGoes) {
  Sessions sessions({.most_of_user = 3});
  const std::string grace = sessions.open("grace", 0);
  const std::string first = sessions.open("ada", 1);
  const std::string second = sessions.open("ada", 2);
  const std::string third = sessions.open("ada", 3);
  EXPECT_TRUE(sessions.use(first, 4));
  const std::string fourth = sessions.open("ada", 5);
  EXPECT_FALSE(sessions.use(second, 6));
  for (const std::string& token : {first, third, fourth, grace}) EXPECT_TRUE(sessions.use(token, 6));
  for (int i = 0; i < 1000; ++i) static_cast<void>(sessions.open("ada", 7));
  EXPECT_EQ(sessions.count(), 4U);
  EXPECT_EQ(sessions.count_of("ada", 7), 3U);
  EXPECT_TRUE(sessions.use(grace, 8));
}

TEST(Sessions, TellWhichHaveEndedInWhateverWay) {
  Sessions sessions;
  const std::string ada = sessions.open("ada", 0);
  const std::string ada_too = sessions.open("ada", 0);
  static_cast<void>(sessions.open("grace", 0));
  const SessionNumber kept = sessions.use(ada, 1)->number;
  const SessionNumber other = sessions.use(ada_too, 1)->number;
  EXPECT_TRUE(sessions.take_ended().empty());
  sessions.close_all_of("ada", kept);
  EXPECT_EQ(sessions.take_ended(), std::vector{other});
  EXPECT_TRUE(sessions.take_ended().empty());
  EXPECT_TRUE(sessions.use(ada, 1));
  sessions.close(kept);
  EXPECT_FALSE(sessions.use(ada, 1));
  EXPECT_EQ(sessions.take_ended(), std::vector{kept});
  sessions.expire(31 * kMinute_ns);
  EXPECT_EQ(sessions.take_ended().size(), 1U);
  EXPECT_EQ(sessions.count(), 0U);
}

}  // namespace
}  // namespace sinew::accounts
