// SPDX-License-Identifier: BSD-3-Clause
// The cases that end an Ach channel for good.
#include <sys/wait.h>

#include <algorithm>
#include <random>
#include <thread>
#include <vector>

#include "sinew/xach/test/space_of_test.h"

namespace sinew::xach {
namespace {

using CrashTest = SpaceOfTest;

constexpr std::size_t kFrameSize = 1U << 20;

// Puts frames of equal bytes until it is killed.
[[noreturn]] void put_for_ever(const char* name) {
  ach_channel_t channel;
  if (ach_open(&channel, name, nullptr) != ACH_OK) _exit(1);
  std::vector<char> frame(kFrameSize);
  for (char mark = 0;; ++mark) {
    std::fill(frame.begin(), frame.end(), mark);
    if (ach_put(&channel, frame.data(), frame.size()) != ACH_OK) _exit(2);
  }
}

[[noreturn]] void wait_for_ever(const char* name) {
  ach_channel_t channel;
  if (ach_open(&channel, name, nullptr) != ACH_OK) _exit(1);
  while (true) {
    int number = 0;
    std::size_t size = 0;
    ach_get(&channel, &number, sizeof number, &size, nullptr, ACH_O_WAIT);
  }
}

pid_t start(void (*work)(const char*), const char* name) {
  const pid_t child = fork();
  if (child == 0) work(name);
  return child;
}

void kill_and_reap(pid_t child) {
  kill(child, SIGKILL);
  int how = 0;
  ASSERT_EQ(waitpid(child, &how, 0), child);
  ASSERT_TRUE(WIFSIGNALED(how)) << "it ended by itself with " << WEXITSTATUS(how);
}

// frames of a MiB, so that nearly every kill falls into the middle of a put
TEST_F(CrashTest, KilledWritersLeaveAChannelThatWorks) {
  ASSERT_EQ(ach_create("big", 2, kFrameSize, nullptr), ACH_OK);
  Handle own("big");
  std::mt19937 random(1);
  std::vector<char> frame(kFrameSize);
  for (int round = 0; round < 40; ++round) {
    const pid_t child = start(put_for_ever, "big");
    ASSERT_NE(ach_get(&own.channel, frame.data(), frame.size(), &own.size, nullptr, ACH_O_WAIT), ACH_CLOSED);
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 3000));
    kill_and_reap(child);
    ASSERT_EQ(own.put(round), ACH_OK) << "after kill " << round;
    while (true) {
      const ach_status status = ach_get(&own.channel, frame.data(), frame.size(), &own.size, nullptr, 0);
      if (status == ACH_STALE_FRAMES) break;
      ASSERT_TRUE(status == ACH_OK || status == ACH_MISSED_FRAME) << ach_result_to_string(status);
      if (own.size != kFrameSize) continue;
      ASSERT_EQ(std::count(frame.begin(), frame.end(), frame[0]), static_cast<std::ptrdiff_t>(kFrameSize))
          << "a torn frame after kill " << round;
    }
  }
}

TEST_F(CrashTest, StoppedAndKilledReadersDoNotHinderPut) {
  const pid_t stopped = start(wait_for_ever, "chan");
  const pid_t killed = start(wait_for_ever, "chan");
  const pid_t alive = start(wait_for_ever, "chan");
  Handle writer("chan");
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  ASSERT_EQ(kill(stopped, SIGSTOP), 0);
  kill_and_reap(killed);
  for (int i = 1; i <= 10000; ++i) ASSERT_EQ(writer.put(i), ACH_OK);
  EXPECT_EQ(writer.get(ACH_O_LAST), ACH_MISSED_FRAME);
  EXPECT_EQ(writer.number, 10000);
  kill_and_reap(stopped);
  kill_and_reap(alive);
}

}  // namespace
}  // namespace sinew::xach
