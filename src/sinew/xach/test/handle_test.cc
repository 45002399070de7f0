// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/xach/handle.h"

#include <poll.h>
#include <sys/stat.h>

#include <thread>
#include <vector>

#include "sinew/xach/test/space_of_test.h"

namespace sinew::xach {
namespace {

using GetTest = SpaceOfTest;
using PutTest = SpaceOfTest;
using CancelTest = SpaceOfTest;

TEST_F(GetTest, SaysStaleOnAnEmptyChannelWhateverIsAsked) {
  Handle handle("chan");
  EXPECT_EQ(handle.get(0), ACH_STALE_FRAMES);
  EXPECT_EQ(handle.get(ACH_O_LAST), ACH_STALE_FRAMES);
  EXPECT_EQ(handle.get(ACH_O_COPY), ACH_STALE_FRAMES);
  EXPECT_EQ(handle.get(ACH_O_LAST | ACH_O_COPY), ACH_STALE_FRAMES);
}

TEST_F(GetTest, GivesTheOldestUnseenFrameByDefault) {
  Handle handle("chan");
  for (int i = 1; i <= 3; ++i) ASSERT_EQ(handle.put(i), ACH_OK);
  for (int i = 1; i <= 3; ++i) {
    ASSERT_EQ(handle.get(0), ACH_OK);
    EXPECT_EQ(handle.number, i);
    EXPECT_EQ(handle.size, sizeof(int));
  }
  EXPECT_EQ(handle.get(0), ACH_STALE_FRAMES);
}

TEST_F(GetTest, GivesAFreshHandleTheWholeRing) {
  Handle writer("chan");
  for (int i = 1; i <= 8; ++i) ASSERT_EQ(writer.put(i), ACH_OK);
  Handle late("chan");
  for (int i = 1; i <= 8; ++i) {
    ASSERT_EQ(late.get(0), ACH_OK);
    EXPECT_EQ(late.number, i);
  }
}

TEST_F(GetTest, JumpsToTheOldestFrameLeftAndSaysThatItMissedSome) {
  Handle writer("chan");
  for (int i = 1; i <= 20; ++i) ASSERT_EQ(writer.put(i), ACH_OK);
  Handle late("chan");
  EXPECT_EQ(late.get(0), ACH_MISSED_FRAME);
  EXPECT_EQ(late.number, 13);
  EXPECT_EQ(late.get(0), ACH_OK);
  EXPECT_EQ(late.number, 14);
}

TEST_F(GetTest, LastGivesTheNewestAndSaysThatItSkipped) {
  Handle handle("chan");
  ASSERT_EQ(handle.put(1), ACH_OK);
  EXPECT_EQ(handle.get(ACH_O_LAST), ACH_OK);
  for (int i = 2; i <= 4; ++i) ASSERT_EQ(handle.put(i), ACH_OK);
  EXPECT_EQ(handle.get(ACH_O_LAST), ACH_MISSED_FRAME);
  EXPECT_EQ(handle.number, 4);
  EXPECT_EQ(handle.get(ACH_O_LAST), ACH_STALE_FRAMES);
  EXPECT_EQ(handle.get(0), ACH_STALE_FRAMES) << "those before the last count as seen";
}

TEST_F(GetTest, CopyGivesTheNewestAgainButUnseenOnesFirst) {
  Handle handle("chan");
  for (int i = 1; i <= 2; ++i) ASSERT_EQ(handle.put(i), ACH_OK);
  for (const int expected : {1, 2, 2, 2}) {
    EXPECT_EQ(handle.get(ACH_O_COPY), ACH_OK);
    EXPECT_EQ(handle.number, expected);
  }
  EXPECT_EQ(handle.get(ACH_O_LAST | ACH_O_COPY), ACH_OK);
  EXPECT_EQ(handle.number, 2);
}

TEST_F(GetTest, TellsTheSizeItTakesAndKeepsTheFrameUnseen) {
  Handle handle("chan");
  const std::vector<char> frame(100, 'x');
  ASSERT_EQ(ach_put(&handle.channel, frame.data(), frame.size()), ACH_OK);
  EXPECT_EQ(handle.get(0), ACH_OVERFLOW);
  EXPECT_EQ(handle.size, 100U);
  std::vector<char> buffer(100);
  EXPECT_EQ(ach_get(&handle.channel, buffer.data(), buffer.size(), &handle.size, nullptr, 0), ACH_OK);
  EXPECT_EQ(buffer, frame);
}

TEST_F(GetTest, TimesOutAtAnAbsoluteMonotonicTime) {
  Handle handle("chan");
  timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_nsec += 20'000'000;
  if (until.tv_nsec >= 1'000'000'000) until = {until.tv_sec + 1, until.tv_nsec - 1'000'000'000};
  EXPECT_EQ(handle.get(ACH_O_WAIT, &until), ACH_TIMEOUT);
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  EXPECT_GE(std::pair(now.tv_sec, now.tv_nsec), std::pair(until.tv_sec, until.tv_nsec));
}

TEST_F(GetTest, TimesOutAfterARelativeTime) {
  Handle handle("chan");
  const timespec span{.tv_sec = 0, .tv_nsec = 1'000'000};
  EXPECT_EQ(handle.get(ACH_O_WAIT | ACH_O_LAST | ACH_O_RELTIME, &span), ACH_TIMEOUT);
}

TEST_F(GetTest, WaitsForAFrameOfAnotherThread) {
  Handle reader("chan");
  std::thread other([] {
    Handle writer("chan");
    for (int i = 1; i <= 100; ++i) ASSERT_EQ(writer.put(i), ACH_OK);
  });
  int newest = 0;
  while (newest < 100) {
    const ach_status status = reader.get(ACH_O_WAIT);
    ASSERT_TRUE(status == ACH_OK || status == ACH_MISSED_FRAME) << ach_result_to_string(status);
    ASSERT_GT(reader.number, newest);
    newest = reader.number;
  }
  other.join();
}

TEST_F(GetTest, RefusesAHandleThatIsNotOpen) {
  ach_channel_t channel{};
  char byte = 0;
  std::size_t size = 0;
  EXPECT_EQ(ach_get(&channel, &byte, 1, &size, nullptr, 0), ACH_EINVAL);
  EXPECT_EQ(ach_put(&channel, &byte, 1), ACH_EINVAL);
  EXPECT_EQ(ach_close(&channel), ACH_EINVAL);
  EXPECT_STREQ(ach_errstr(), "the handle is not open: call ach_open() first");
}

TEST_F(GetTest, GivesADescriptorThatIsReadableWhileSomethingIsUnseen) {
  Handle handle("chan");
  int descriptor = -1;
  ASSERT_EQ(ach_channel_fd(&handle.channel, &descriptor), ACH_OK);
  ASSERT_EQ(handle.put(7), ACH_OK);
  pollfd news{.fd = descriptor, .events = POLLIN, .revents = 0};
  EXPECT_EQ(poll(&news, 1, -1), 1);
  EXPECT_EQ(handle.get(0), ACH_OK);
  EXPECT_EQ(handle.number, 7);
}

TEST_F(GetTest, FlushCallsEverythingSeen) {
  Handle handle("chan");
  for (int i = 1; i <= 20; ++i) ASSERT_EQ(handle.put(i), ACH_OK);
  ASSERT_EQ(ach_flush(&handle.channel), ACH_OK);
  EXPECT_EQ(handle.get(0), ACH_STALE_FRAMES);
  ASSERT_EQ(handle.put(21), ACH_OK);
  EXPECT_EQ(handle.get(0), ACH_OK) << "what was flushed was not missed";
  EXPECT_EQ(handle.number, 21);
}

TEST_F(PutTest, TakesFramesOfAnySizeUpToTheWholeChannel) {
  Handle handle("chan");
  std::vector<char> frame(8 * 64 + 1, 'x');
  EXPECT_EQ(ach_put(&handle.channel, frame.data(), frame.size()), ACH_OVERFLOW);
  EXPECT_EQ(ach_put(&handle.channel, frame.data(), frame.size() - 1), ACH_OK);
  EXPECT_EQ(ach_put(&handle.channel, frame.data(), 1), ACH_OK);
  EXPECT_EQ(ach_put(&handle.channel, frame.data(), 0), ACH_EINVAL);
}

TEST_F(PutTest, MayComeFromSeveralThreadsThroughOneHandle) {
  ASSERT_EQ(ach_create("many", 1024, 8, nullptr), ACH_OK);
  Handle handle("many");
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&handle] {
      for (int i = 0; i < 250; ++i) ASSERT_EQ(handle.put(i), ACH_OK);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(handle.get(0), ACH_OK);
  EXPECT_EQ(handle.get(0), ACH_STALE_FRAMES);
}

TEST_F(PutTest, IsToldWhenTheChannelWasUnlinked) {
  Handle handle("chan");
  ASSERT_EQ(handle.put(1), ACH_OK);
  ASSERT_EQ(ach_unlink("chan"), ACH_OK);
  EXPECT_EQ(handle.put(2), ACH_CLOSED);
  EXPECT_EQ(handle.get(0), ACH_OK) << "what was put before is still there";
  EXPECT_EQ(handle.get(0), ACH_CLOSED);
  EXPECT_EQ(handle.get(ACH_O_WAIT), ACH_CLOSED);
}

TEST_F(PutTest, DoesNotGoToAChannelThatTookTheNameOver) {
  Handle handle("chan");
  ASSERT_EQ(ach_unlink("chan"), ACH_OK);
  ASSERT_EQ(ach_create("chan", 8, 64, nullptr), ACH_OK);
  EXPECT_EQ(handle.put(1), ACH_CLOSED);
  Handle successor("chan");
  EXPECT_EQ(successor.get(0), ACH_STALE_FRAMES);
}

TEST_F(PutTest, ChmodSetsTheRightsOfTheFile) {
  Handle handle("chan");
  ASSERT_EQ(ach_chmod(&handle.channel, 0600), ACH_OK);
  struct stat entry {};
  ASSERT_EQ(stat(("/dev/shm/sinew-" + space_ + "/ach/chan").c_str(), &entry), 0);
  EXPECT_EQ(entry.st_mode & 0777, 0600U);
}

TEST_F(CancelTest, EndsAWaitingGet) {
  Handle handle("chan");
  std::thread other([&handle] { EXPECT_EQ(ach_cancel(&handle.channel, nullptr), ACH_OK); });
  EXPECT_EQ(handle.get(ACH_O_WAIT), ACH_CANCELED);
  other.join();
}

TEST_F(CancelTest, IsNotWhatASignalMeans) {
  struct sigaction action {};
  action.sa_handler = [](int) {};
  ASSERT_EQ(sigaction(SIGUSR1, &action, nullptr), 0);
  Handle handle("chan");
  const pthread_t waiting = pthread_self();
  std::thread other([waiting] {
    Handle writer("chan");
    for (int i = 0; i < 20; ++i) {
      pthread_kill(waiting, SIGUSR1);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ASSERT_EQ(writer.put(5), ACH_OK);
  });
  EXPECT_EQ(handle.get(ACH_O_WAIT), ACH_OK);
  EXPECT_EQ(handle.number, 5);
  other.join();
}

}  // namespace
}  // namespace sinew::xach
