// SPDX-License-Identifier: BSD-3-Clause
// One who writes alone: whoever else would is refused while he lives, and nobody waits for the dead.
#include <signal.h>

#include <array>
#include <random>
#include <vector>

#include "sinew/channels/channel_file.h"
#include "sinew/channels/inspect.h"
#include "sinew/channels/process_key.h"
#include "sinew/channels/test/channel_fixture.h"

namespace sinew::channels {
namespace {

class SoleWriterTest : public ChannelTest {
 protected:
  WriterHandle open_alone(const sinew_options& chosen) {
    return WriterHandle(sinew_writer_open_alone(&chosen, &error_));
  }
  bool says(const std::string& part) const {
    return std::string(error_.text).find(part) != std::string::npos;
  }
};

TEST_F(SoleWriterTest, RefusesEverybodyElseAndSaysWhoLives) {
  auto chosen = options();
  chosen.sender = "arm";
  const auto first = open_alone(chosen);
  ASSERT_TRUE(first) << error_.text;
  const auto wants_in = [&](bool wants_alone) {
    return exit_code_of_child([&] {
      const auto second = wants_alone ? open_alone(chosen) : open_writer(chosen);
      const bool is_told =
          says(fmt::format("arm (pid {}, program ", getppid())) && says(", since 20") &&
          says(fmt::format("lives; end it first, with 'sinew stop' or 'kill {}'", getppid()));
      if (!second && error_.status == SINEW_FULL && is_told) return 0;
      return std::fprintf(stderr, "%s\n", error_.text) > 0 ? 1 : 2;
    });
  };
  EXPECT_EQ(wants_in(true), 0);
  EXPECT_EQ(wants_in(false), 0);
  EXPECT_FALSE(open_alone(chosen)) << "a second time in the same process";
  EXPECT_EQ(put(first, 7), 1U);
  const auto info = inspect_channel(space(), "c");
  ASSERT_TRUE(info);
  ASSERT_EQ(info->writers.size(), 1U);
  EXPECT_TRUE(info->writers[0].is_sole);
}

TEST_F(SoleWriterTest, IsRefusedBesideSomebodyWhoWritesAlready) {
  auto other = open_writer(options());
  EXPECT_FALSE(open_alone(options()));
  EXPECT_EQ(error_.status, SINEW_FULL);
  other.reset();
  auto sole = open_alone(options());
  ASSERT_TRUE(sole) << error_.text;
  sole.reset();
  EXPECT_TRUE(open_writer(options())) << error_.text;
}

TEST_F(SoleWriterTest, AForkedChildDoesNotWriteForItsParent) {
  const auto sole = open_alone(options());
  ASSERT_EQ(put(sole, 1), 1U);
  EXPECT_EQ(exit_code_of_child([&] { return put(sole, 2) == 0 ? 0 : 1; }), 0);
  EXPECT_EQ(put(sole, 3), 2U);
}

// Each dies at some instant of opening, putting and closing; the next has it at once.
TEST_F(SoleWriterTest, TheDeadAreSucceededAtOnce) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 100; ++round) {
    std::array<int, 2> pipe_ends{};
    ASSERT_EQ(pipe(pipe_ends.data()), 0);
    const pid_t child = fork();
    if (child == 0) {
      [[maybe_unused]] const auto size = write(pipe_ends[1], "x", 1);
      while (true) put(open_alone(options()), 1);
    }
    char begun = 0;
    ASSERT_EQ(read(pipe_ends[0], &begun, 1), 1);
    usleep(static_cast<useconds_t>(random() % 2000));
    kill(child, SIGKILL);
    ASSERT_EQ(waitpid(child, nullptr, 0), child);
    ASSERT_TRUE(open_alone(options())) << "round " << round << ": " << error_.text;
    for (const int end : pipe_ends) close(end);
  }
}

// Killed between the two steps of a take-over: the right taken, no place yet.
TEST_F(SoleWriterTest, TheRightOfADeadOneWithoutAPlaceIsFree) {
  open_alone(options());
  auto file = ChannelFile::open({.space = space(), .name = "c"}, Access::Write);
  ASSERT_TRUE(file);
  AtomicU64& word = file->memory().header().sole_writer;
  ASSERT_EQ(word.load(), 0U);
  const pid_t child = fork();
  if (child == 0) {
    word.store(own_process_key());
    _exit(0);
  }
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  ASSERT_NE(word.load(), 0U);
  EXPECT_TRUE(open_alone(options())) << error_.text;
}

TEST_F(SoleWriterTest, OfManyAtOneInstantOneGetsIt) {
  constexpr int kMany = 6;
  for (int round = 0; round < 40; ++round) {
    std::array<int, 2> start{};
    std::array<int, 2> won{};
    std::array<int, 2> end{};
    ASSERT_EQ(pipe(start.data()) + pipe(won.data()) + pipe(end.data()), 0);
    std::vector<pid_t> children;
    for (int i = 0; i < kMany; ++i) {
      const pid_t child = fork();
      if (child == 0) {
        close(start[1]);
        close(end[1]);
        char nothing = 0;
        // all begin as the pipe is closed, and all live until the other is
        [[maybe_unused]] auto size = read(start[0], &nothing, 1);
        const auto writer = open_alone(options());
        size = write(won[1], writer ? "1" : "0", 1);
        size = read(end[0], &nothing, 1);
        _exit(0);
      }
      children.push_back(child);
    }
    close(start[1]);
    int winners = 0;
    for (int i = 0; i < kMany; ++i) {
      char answer = 0;
      ASSERT_EQ(read(won[0], &answer, 1), 1);
      winners += answer == '1' ? 1 : 0;
    }
    EXPECT_EQ(winners, 1) << "round " << round;
    for (const int descriptor : {start[0], won[0], won[1], end[0], end[1]}) close(descriptor);
    for (const pid_t child : children) waitpid(child, nullptr, 0);
  }
}

}  // namespace
}  // namespace sinew::channels
