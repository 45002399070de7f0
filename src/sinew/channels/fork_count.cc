// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/channels/fork_count.h"

#include <pthread.h>

#include <atomic>

namespace sinew::channels {
namespace {

// a fact about the process, not about any object in it
std::atomic<std::uint64_t> forks{0};

void count_fork() {
  forks.fetch_add(1, std::memory_order_relaxed);
}

[[maybe_unused]] const int kRegistered = pthread_atfork(nullptr, nullptr, count_fork);

}  // namespace

std::uint64_t fork_count() noexcept {
  return forks.load(std::memory_order_relaxed);
}

}  // namespace sinew::channels
