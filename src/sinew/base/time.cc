// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/base/time.h"

#include <time.h>

#include <cmath>

namespace sinew {
namespace {

std::int64_t clock_now_ns(clockid_t clock) noexcept {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<std::int64_t>(now.tv_sec) * kSecond_ns + now.tv_nsec;
}

}  // namespace

std::int64_t monotonic_now_ns() SINEW_REALTIME {
  return clock_now_ns(CLOCK_MONOTONIC);
}

std::int64_t wall_now_ns() SINEW_REALTIME {
  return clock_now_ns(CLOCK_REALTIME);
}

std::int64_t nanoseconds_from_seconds(double seconds) SINEW_REALTIME {
  if (std::isnan(seconds)) return 0;
  const double duration_ns = seconds * 1e9;
  if (duration_ns >= 9.2e18) return kNever_ns;
  if (duration_ns <= -9.2e18) return std::numeric_limits<std::int64_t>::min();
  return std::llround(duration_ns);
}

}  // namespace sinew
