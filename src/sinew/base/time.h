// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>

#include "sinew/base/realtime.h"

namespace sinew {

inline constexpr std::int64_t kMicrosecond_ns = 1'000;
inline constexpr std::int64_t kMillisecond_ns = 1'000'000;
inline constexpr std::int64_t kSecond_ns = 1'000'000'000;

/// A deadline that never comes.
inline constexpr std::int64_t kNever_ns = std::numeric_limits<std::int64_t>::max();

/// Nanoseconds on CLOCK_MONOTONIC: the time of stamps, leases and deadlines.
std::int64_t monotonic_now_ns() SINEW_REALTIME;

/// Nanoseconds since 1970 on CLOCK_REALTIME: for people and records, never for control, because it may jump.
std::int64_t wall_now_ns() SINEW_REALTIME;

/// Seconds to nanoseconds, rounded to nearest; saturates at the ends of the range, and NaN becomes zero.
std::int64_t nanoseconds_from_seconds(double seconds) SINEW_REALTIME;

/// Nanoseconds to seconds.
constexpr double seconds_from_nanoseconds(std::int64_t duration_ns) {
  return static_cast<double>(duration_ns) * 1e-9;
}

/// `start_ns + duration_ns`, saturating at kNever_ns instead of overflowing. Both must be non-negative.
constexpr std::int64_t deadline_after_ns(std::int64_t start_ns, std::int64_t duration_ns) {
  return duration_ns > kNever_ns - start_ns ? kNever_ns : start_ns + duration_ns;
}

}  // namespace sinew
