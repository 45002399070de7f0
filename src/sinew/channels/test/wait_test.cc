// SPDX-License-Identifier: BSD-3-Clause
// Waiting: deadlines, cancelling, signals, removal, and the descriptor for poll().
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>

#include <atomic>
#include <thread>

#include "sinew/channels/test/channel_fixture.h"

namespace sinew::channels {
namespace {

bool is_readable(int descriptor, int timeout_ms) {
  pollfd waiting{.fd = descriptor, .events = POLLIN, .revents = 0};
  return poll(&waiting, 1, timeout_ms) == 1;
}

constexpr int kHangGuard_ms = 60'000;

TEST_F(ChannelTest, WaitEndsAtItsDeadlineAndNotBefore) {
  const auto reader = open_reader(options());
  EXPECT_EQ(sinew_wait(reader.get(), 0), SINEW_TIMED_OUT);
  EXPECT_EQ(sinew_wait(reader.get(), -1), SINEW_TIMED_OUT);
  const std::int64_t deadline_ns = monotonic_now_ns() + 120 * kMillisecond_ns;
  EXPECT_EQ(sinew_wait(reader.get(), deadline_ns), SINEW_TIMED_OUT);
  EXPECT_GE(monotonic_now_ns(), deadline_ns);
}

TEST_F(ChannelTest, WaitIsOverWhenAMessageComes) {
  const auto writer = open_writer(options());
  const auto reader = open_reader(options());
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    put(writer, 1);
  });
  EXPECT_EQ(sinew_wait(reader.get(), monotonic_now_ns() + kHangGuard_ns), SINEW_OK);
  EXPECT_EQ(sinew_wait(reader.get(), 0), SINEW_OK) << "still unseen";
  other.join();
  sinew_skip(reader.get());
  EXPECT_EQ(sinew_wait(reader.get(), 0), SINEW_TIMED_OUT);
}

TEST_F(ChannelTest, CancelEndsAWaitOrTheNextOneButOnlyOne) {
  const auto reader = open_reader(options());
  sinew_cancel(reader.get());
  EXPECT_EQ(sinew_wait(reader.get(), kNever_ns), SINEW_INTERRUPTED);
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    sinew_cancel(reader.get());
  });
  EXPECT_EQ(sinew_wait(reader.get(), kNever_ns), SINEW_INTERRUPTED);
  other.join();
  EXPECT_EQ(sinew_wait(reader.get(), monotonic_now_ns() + kMillisecond_ns), SINEW_TIMED_OUT);
}

TEST_F(ChannelTest, SignalInterruptsAWait) {
  const auto reader = open_reader(options());
  const int code = exit_code_of_child([&] {
    struct sigaction action {};
    action.sa_handler = [](int) {};
    sigaction(SIGUSR1, &action, nullptr);
    const pid_t waiting = getpid();
    std::atomic<bool> is_over{false};
    // again and again, for one that comes before the sleep interrupts nothing
    std::thread other([&] {
      while (!is_over) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        if (!is_over) kill(waiting, SIGUSR1);
      }
    });
    const int status = sinew_wait(reader.get(), monotonic_now_ns() + kHangGuard_ns);
    is_over = true;
    other.join();
    return status == SINEW_INTERRUPTED ? 0 : 1;
  });
  EXPECT_EQ(code, 0);
}

TEST_F(ChannelTest, WaitingReaderNoticesTheRemoval) {
  const auto reader = open_reader(options());
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    sinew_remove(space().c_str(), "c", nullptr);
  });
  EXPECT_EQ(sinew_wait(reader.get(), monotonic_now_ns() + kHangGuard_ns), SINEW_REMOVED);
  other.join();
}

// by somebody who may not write the file, or by rm
TEST_F(ChannelTest, WaitingReaderNoticesThatTheFileHasLostItsName) {
  const auto reader = open_reader(options());
  std::filesystem::remove(path("c"));
  EXPECT_EQ(sinew_wait(reader.get(), monotonic_now_ns() + kHangGuard_ns), SINEW_REMOVED);
}

TEST_F(ChannelTest, DescriptorIsReadableAsLongAsSomethingIsUnseen) {
  const auto writer = open_writer(options());
  const auto reader = open_reader(options());
  const int descriptor = sinew_reader_fd(reader.get());
  ASSERT_GE(descriptor, 0);
  EXPECT_EQ(sinew_reader_fd(reader.get()), descriptor);
  for (std::uint64_t round = 0; round < 200; ++round) {
    const std::uint64_t count = 1 + round % 3;
    for (std::uint64_t i = 0; i < count; ++i) put(writer, i);
    for (std::uint64_t i = 0; i < count; ++i) {
      ASSERT_TRUE(is_readable(descriptor, kHangGuard_ms)) << "round " << round;
      ASSERT_TRUE(is_readable(descriptor, kHangGuard_ms)) << "looking takes nothing away";
      std::uint64_t number = 0;
      ASSERT_EQ(sinew_read_next(reader.get(), &number, sizeof number, nullptr), SINEW_OK);
    }
    // once the watcher has settled, a look that finds nothing leaves it unreadable
    std::uint64_t number = 0;
    while (is_readable(descriptor, 0))
      ASSERT_EQ(sinew_read_next(reader.get(), &number, 8, nullptr), SINEW_NOTHING_NEW);
  }
  sinew_remove(space().c_str(), "c", nullptr);
  EXPECT_TRUE(is_readable(descriptor, kHangGuard_ms)) << "the removal is news too";
}

// the thread behind the descriptor stays with the parent
TEST_F(ChannelTest, ForkedReaderGetsADescriptorOfItsOwnAndCanBeClosed) {
  const auto writer = open_writer(options());
  auto reader = open_reader(options());
  const int descriptor = sinew_reader_fd(reader.get());
  put(writer, 1);
  ASSERT_TRUE(is_readable(descriptor, kHangGuard_ms));
  const int closes = exit_code_of_child([&] {
    alarm(60);
    reader.reset();
    return 0;
  });
  EXPECT_EQ(closes, 0);
  const int sees_all = exit_code_of_child([&] {
    std::uint64_t number = 0;
    return sinew_read_next(reader.get(), &number, sizeof number, nullptr) == SINEW_OK ? 0 : 1;
  });
  EXPECT_EQ(sees_all, 0);
  EXPECT_TRUE(is_readable(descriptor, 0)) << "the child has drained its parent's descriptor";
  // qemu-user cannot start a thread in the child of a process with threads: there this half is left out
  const int can_start_threads = exit_code_of_child([] {
    std::thread([] {}).join();
    return 0;
  });
  if (can_start_threads != 0) {
    fmt::print(stderr,
               "this system starts no threads after a fork: a descriptor of the child's own is not tested\n");
    return;
  }
  const int reads = exit_code_of_child([&] {
    alarm(60);
    std::uint64_t number = 0;
    if (sinew_read_next(reader.get(), &number, sizeof number, nullptr) != SINEW_OK) return 1;
    const int own = sinew_reader_fd(reader.get());
    put(writer, 2);
    if (!is_readable(own, kHangGuard_ms)) return 2;
    reader.reset();
    return 0;
  });
  EXPECT_EQ(reads, 0);
}

TEST_F(ChannelTest, ThreadBehindTheDescriptorTakesNoSignals) {
  const auto reader = open_reader(options());
  const int code = exit_code_of_child([&] {
    static std::atomic<pid_t> handler_thread{0};
    struct sigaction action {};
    action.sa_handler = [](int) { handler_thread = gettid(); };
    sigaction(SIGUSR1, &action, nullptr);
    if (sinew_reader_fd(reader.get()) < 0) return 1;
    // with the signal blocked here, only another thread could take it
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    kill(getpid(), SIGUSR1);
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    return handler_thread == 0 ? 0 : 2;
  });
  EXPECT_EQ(code, 0);
}

}  // namespace
}  // namespace sinew::channels
