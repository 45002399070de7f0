// SPDX-License-Identifier: BSD-3-Clause
#include "apps/controller/channel_watch.h"

#include <chrono>
#include <filesystem>
#include <optional>
#include <thread>

#include "sinew/base/fixed_string.h"

#include "apps/controller/test/loop_rig.h"

namespace sinew {
namespace {

class ChannelWatchTest : public channels::ChannelTest {
 protected:
  ChannelWatchTest() {
    EXPECT_TRUE(open_control_channels("mds", space()));  // the files stay
  }

  // a message as it would be read, of a writer that has put `sequence` so far
  static sinew_frame message(std::uint32_t pid, std::uint64_t sequence, std::uint32_t place = 0) {
    sinew_frame frame{};
    frame.sequence = sequence;
    frame.sender_pid = pid;
    frame.writer = place;
    return frame;
  }
  static ChannelWatch::Death wait_for_death(ChannelWatch& watch) {
    ChannelWatch::Death death;
    while (!watch.take_death(death)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return death;
  }
  static void wait_for_looks() { std::this_thread::sleep_for(std::chrono::milliseconds(100)); }
};

TEST_F(ChannelWatchTest, TellsWhoHasDiedOnceAndKnowsWhatTheDeadHavePut) {
  Sender sender(space());
  sender.put({.motion = 1});
  ChannelWatch watch("mds", space());
  const auto pid = static_cast<std::uint32_t>(sender.pid());
  EXPECT_FALSE(watch.is_of_dead(message(pid, 1)));
  sender.put({.motion = 2});
  sender.kill();
  const ChannelWatch::Death death = wait_for_death(watch);
  EXPECT_EQ(death.place, 0U);
  EXPECT_EQ(text_of(death.who), "sender");
  EXPECT_TRUE(watch.is_of_dead(message(pid, 1)));
  EXPECT_TRUE(watch.is_of_dead(message(pid, 2)));
  EXPECT_FALSE(watch.is_of_dead(message(pid, 3))) << "of another one, who has its place and number";
  EXPECT_FALSE(watch.is_of_dead(message(pid + 1, 2)));
  EXPECT_FALSE(watch.is_of_dead(message(pid, 2, 1)));
  wait_for_looks();
  ChannelWatch::Death again;
  EXPECT_FALSE(watch.take_death(again));
}

TEST_F(ChannelWatchTest, FindsThoseThatComeLaterAndTheirSuccessors) {
  ChannelWatch watch("mds", space());
  for (int round = 0; round < 3; ++round) {
    Sender sender(space());
    sender.put({.motion = 1});
    sender.kill();
    const ChannelWatch::Death death = wait_for_death(watch);
    EXPECT_TRUE(watch.is_of_dead(message(static_cast<std::uint32_t>(sender.pid()),
                                         static_cast<std::uint64_t>(round) + 1, death.place)));
  }
  EXPECT_FALSE(watch.are_channels_gone());
}

TEST_F(ChannelWatchTest, WhoClosesItsChannelInOrderHasNotDied) {
  ChannelWatch watch("mds", space());
  const int ended = channels::exit_code_of_child([&] {
    auto writer = Writer<Segment>::open({.name = "mds/segments", .space = space()});
    return writer && writer->put({.motion = 1}) == SINEW_OK ? 0 : 1;
  });
  ASSERT_EQ(ended, 0);
  wait_for_looks();
  ChannelWatch::Death death;
  EXPECT_FALSE(watch.take_death(death));
}

TEST_F(ChannelWatchTest, NoticesThatChannelsWereRemoved) {
  ChannelWatch watch("mds", space());
  wait_for_looks();
  EXPECT_FALSE(watch.are_channels_gone());
  std::error_code ignored;
  std::filesystem::remove_all(folder(), ignored);
  while (!watch.are_channels_gone()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

TEST_F(ChannelWatchTest, NoticesOneThatWasRemovedOrMovedAway) {
  {
    ChannelWatch watch("mds", space());
    std::filesystem::remove(path("mds/stop"));
    while (!watch.are_channels_gone()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ASSERT_TRUE(open_control_channels("mds", space()));
  ChannelWatch watch("mds", space());
  const std::string elsewhere = folder() + "-elsewhere";
  std::filesystem::rename(folder(), elsewhere);
  while (!watch.are_channels_gone()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::filesystem::remove_all(elsewhere);
}

TEST_F(ChannelWatchTest, ChannelsOfOthersMayComeAndGo) {
  ChannelWatch watch("mds", space());
  { auto reference = Writer<JointReference>::open({.name = "mds/ref/a", .space = space()}); }
  std::filesystem::remove_all(path("mds/ref"));
  wait_for_looks();
  EXPECT_FALSE(watch.are_channels_gone());
}

}  // namespace
}  // namespace sinew
