// SPDX-License-Identifier: BSD-3-Clause
#include "apps/controller/realtime_rights.h"

#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include <fmt/format.h>

namespace sinew {
namespace {

/// Above ordinary real-time work, below the kernel's own interrupt threads where these matter.
constexpr int kPriority = 45;

constexpr std::size_t kThreadStack = 512U << 10;

// The descriptor stays open on purpose: the wish holds as long as it is.
bool hold_wake_latency() {
  const int descriptor = open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC);
  const std::int32_t wanted_us = 0;
  return descriptor >= 0 && write(descriptor, &wanted_us, sizeof wanted_us) == sizeof wanted_us;
}

}  // namespace

void bound_locked_memory() {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) == 0) {
    pthread_attr_setstacksize(&attributes, kThreadStack);
    pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
  }
  // the cycle allocates nothing, so its threads have no reason to keep heaps apart
  mallopt(M_ARENA_MAX, 1);
}

bool take_realtime_priority() {
  const sched_param priority{.sched_priority = kPriority};
  return sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &priority) == 0;
}

RealtimeRights take_realtime_rights() {
  RealtimeRights rights;
  rights.has_priority = take_realtime_priority();
  if (!rights.has_priority) {
    rights.missing.push_back(fmt::format(
        "no real-time priority ({}): allow it with 'rtprio {}' in /etc/security/limits.conf, or run as root",
        std::strerror(errno), kPriority));
  }
  rights.has_locked_memory = mlockall(MCL_CURRENT | MCL_FUTURE) == 0;
  if (!rights.has_locked_memory) {
    rights.missing.push_back(
        fmt::format("memory is not locked ({}): allow it with 'memlock unlimited' in "
                    "/etc/security/limits.conf, or run as root",
                    std::strerror(errno)));
  }
  rights.has_fast_wake = hold_wake_latency();
  if (!rights.has_fast_wake) {
    rights.missing.push_back(fmt::format("/dev/cpu_dma_latency cannot be held ({}): wake-ups may take longer",
                                         std::strerror(errno)));
  }
  return rights;
}

}  // namespace sinew
