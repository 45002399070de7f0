// SPDX-License-Identifier: BSD-3-Clause
// Writers and readers as threads of one process, so that ThreadSanitizer sees all of them.
#include <poll.h>

#include <atomic>
#include <thread>
#include <vector>

#include "sinew/channels/test/channel_fixture.h"
#include "sinew/channels/test/kill_payload.h"

// ThreadSanitizer by default forbids what a forked child of ours must be able to do: start a thread
// NOLINTBEGIN: the name is the sanitizer's
extern "C" __attribute__((visibility("default"))) const char* __tsan_default_options();
extern "C" const char* __tsan_default_options() {
  return "die_after_fork=0";
}
// NOLINTEND

namespace sinew::channels {
namespace {

constexpr int kThreadWriters = 3;
constexpr std::uint64_t kPutsEach = 4000;

class ThreadsTest : public ChannelTest {
 protected:
  sinew_options wide_options() const {
    auto chosen = options();
    chosen.capacity = sizeof(KillPayload);
    return chosen;
  }

  void write(int index) {
    const auto chosen = wide_options();
    sinew_error error{};
    const WriterHandle writer(sinew_writer_open(&chosen, &error));
    KillPayload payload;
    payload.writer = static_cast<std::uint64_t>(index);
    for (std::uint64_t i = 0; writer && i < kPutsEach; ++i) {
      ++payload.counter;
      payload.fill();
      if (sinew_put(writer.get(), &payload, payload.size(), nullptr) != SINEW_OK) complaints_ = 1;
    }
    if (!writer) complaints_ = 1;
  }

  // reads until the last message has been seen; every reader in its own way
  void read(int kind) {
    const auto chosen = wide_options();
    const ReaderHandle reader(sinew_reader_open(&chosen, SINEW_START_OLDEST, nullptr));
    FrameChecker checker;
    KillPayload payload;
    sinew_frame frame{};
    std::uint64_t seen = 0;
    const std::int64_t give_up_ns = monotonic_now_ns() + kHangGuard_ns;
    while (seen < kThreadWriters * kPutsEach && monotonic_now_ns() < give_up_ns) {
      if (kind == 2) {
        pollfd waiting{.fd = sinew_reader_fd(reader.get()), .events = POLLIN, .revents = 0};
        poll(&waiting, 1, 1000);
      } else {
        sinew_wait(reader.get(), monotonic_now_ns() + kSecond_ns);
      }
      if (kind == 1)
        sinew_read_at(reader.get(), monotonic_now_ns() - kMillisecond_ns, &payload, sizeof payload, &frame);
      const int status = kind == 0 ? sinew_read_next(reader.get(), &payload, sizeof payload, &frame)
                                   : sinew_read_fresh(reader.get(), &payload, sizeof payload, &frame);
      if (status != SINEW_OK) continue;
      const std::string complaint = checker.complaint_about(payload, frame);
      if (!complaint.empty()) {
        fmt::print(stderr, "reader {}: {}\n", kind, complaint);
        complaints_ = 1;
        return;
      }
      seen = frame.sequence;
    }
    if (seen != kThreadWriters * kPutsEach) complaints_ = 1;
  }

  std::atomic<int> complaints_{0};
};

TEST_F(ThreadsTest, ThreadsReadWhatThreadsWriteWholeAndInOrder) {
  const auto chosen = wide_options();
  ASSERT_EQ(sinew_create(&chosen, &error_), SINEW_OK);
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back([this, i] { read(i); });
  for (int i = 0; i < kThreadWriters; ++i) threads.emplace_back([this, i] { write(i); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(complaints_, 0);
}

}  // namespace
}  // namespace sinew::channels
