// SPDX-License-Identifier: BSD-3-Clause
#include <random>

#include "sinew/base/time.h"
#include "sinew/recording/test/recording_fixture.h"

namespace sinew::recording {
namespace {

using TapTest = RecordingTest;

TEST_F(TapTest, BeginsWithTheNewestAndGoesOnWithAllThatFollow) {
  const auto a = writer_of("robot/a");
  for (std::uint64_t i = 1; i <= 3; ++i) put(a, i);
  auto tap = ChannelTap::open({.space = space()});
  ASSERT_TRUE(tap);
  EXPECT_EQ(poll(*tap), (std::vector<Tapped>{{"robot/a", 3, 0, 3}}));
  put(a, 4);
  put(a, 5);
  EXPECT_EQ(poll(*tap), (std::vector<Tapped>{{"robot/a", 4, 0, 4}, {"robot/a", 5, 0, 5}}));
  EXPECT_EQ(poll(*tap), std::vector<Tapped>());
}

TEST_F(TapTest, TakesAllOfAChannelThatAppearsLaterAndCountsWhatWasLost) {
  auto tap = ChannelTap::open({.space = space()});
  ASSERT_TRUE(tap);
  EXPECT_EQ(poll(*tap), std::vector<Tapped>());
  const auto a = writer_of("a");
  for (std::uint64_t i = 1; i <= 6; ++i) put(a, i);
  const std::vector<Tapped> expected{{"a", 3, 2, 3}, {"a", 4, 0, 4}, {"a", 5, 0, 5}, {"a", 6, 0, 6}};
  EXPECT_EQ(poll(*tap), expected);
}

TEST_F(TapTest, TellsAChannelFromItsSuccessor) {
  auto a = writer_of("a");
  put(a, 1);
  auto tap = ChannelTap::open({.space = space()});
  ASSERT_TRUE(tap);
  put(a, 2);
  ASSERT_EQ(sinew_remove(space().c_str(), "a", nullptr), SINEW_OK);
  a = writer_of("a");
  put(a, 3);
  EXPECT_EQ(poll(*tap), (std::vector<Tapped>{{"a", 1, 0, 1}, {"a", 2, 0, 2}, {"a", 1, 0, 3}}));
  EXPECT_EQ(tap->channels().size(), 2U);
}

TEST_F(TapTest, FollowsOnlyWhatFits) {
  const auto a = writer_of("mds/state");
  const auto b = writer_of("mds/ref/me");
  const auto c = writer_of("ur5e/state");
  for (const auto* writer : {&a, &b, &c}) put(*writer, 1);
  const auto names = [&](std::vector<std::string> patterns) {
    auto tap = ChannelTap::open({.space = space(), .patterns = std::move(patterns)});
    std::set<std::string> found;
    for (const Tapped& message : poll(*tap)) found.insert(message.channel);
    return found;
  };
  EXPECT_EQ(names({"mds/*"}), (std::set<std::string>{"mds/state", "mds/ref/me"}));
  EXPECT_EQ(names({"ur5e/state"}), (std::set<std::string>{"ur5e/state"}));
  EXPECT_EQ(names({}).size(), 3U);
  EXPECT_EQ(names({"state"}).size(), 0U);
}

TEST_F(TapTest, LeavesAChannelAsItFoundItAndNeedsNoMoreThanTheRightToRead) {
  const auto a = writer_of("a");
  put(a, 7);
  std::filesystem::permissions(path("a"), std::filesystem::perms::owner_read);
  const Buffer before = bytes_of_file(path("a"));
  auto tap = ChannelTap::open({.space = space()});
  EXPECT_EQ(poll(*tap).size(), 1U);
  EXPECT_EQ(bytes_of_file(path("a")), before);
}

TEST_F(TapTest, TellsOfFilesThatAreNoChannels) {
  const auto a = writer_of("a");
  std::ofstream(path("strange")) << "no channel";
  auto tap = ChannelTap::open({.space = space()});
  poll(*tap);
  ASSERT_EQ(tap->problems().size(), 1U);
  EXPECT_NE(tap->problems()[0].find("strange is not followed"), std::string::npos);
}

// several channels, looked at at any moment: one order over all, from call to call, with nothing left out
TEST_F(TapTest, GivesOneOrderOverAllChannels) {
  std::mt19937 random(1);
  std::vector<channels::WriterHandle> writers;
  for (const char* name : {"a", "b", "c"}) writers.push_back(writer_of(name, 64));
  auto tap = ChannelTap::open({.space = space()});
  std::uint64_t next = 1;
  std::uint64_t seen = 0;
  for (int round = 0; round < 200; ++round) {
    const std::int64_t now_ns = monotonic_now_ns();
    for (std::uint64_t i = random() % 8; i > 0; --i) put(writers[random() % 3], next++);
    for (const Tapped& message : poll(*tap, round % 2 == 0 ? now_ns : monotonic_now_ns())) {
      EXPECT_EQ(message.number, ++seen);
      EXPECT_EQ(message.missed, 0U);
    }
  }
  for (const Tapped& message : poll(*tap)) EXPECT_EQ(message.number, ++seen);
  EXPECT_EQ(seen + 1, next);
}

}  // namespace
}  // namespace sinew::recording
