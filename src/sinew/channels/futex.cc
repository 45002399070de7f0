// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/channels/futex.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <climits>

#include "sinew/base/time.h"

namespace sinew::channels {
namespace {

// what the system call named SYS_futex takes, also where the C library's timespec is wider
struct KernelTime {
  long seconds;
  long nanoseconds;
};

static_assert(std::endian::native == std::endian::little, "the low half of the word must come first");

}  // namespace

SleepOutcome sleep_while(const AtomicU64& word, std::uint32_t expected, std::int64_t deadline_ns) noexcept {
  const KernelTime deadline{static_cast<long>(deadline_ns / kSecond_ns),
                            static_cast<long>(deadline_ns % kSecond_ns)};
  if (syscall(SYS_futex, &word, FUTEX_WAIT_BITSET, expected, &deadline, nullptr, FUTEX_BITSET_MATCH_ANY) == 0)
    return SleepOutcome::Woken;
  if (errno == ETIMEDOUT) return SleepOutcome::TimedOut;
  return errno == EINTR ? SleepOutcome::Interrupted : SleepOutcome::Woken;
}

void wake_all(const AtomicU64& word) SINEW_REALTIME {
  syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

}  // namespace sinew::channels
