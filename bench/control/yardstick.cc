// SPDX-License-Identifier: BSD-3-Clause
#include "yardstick.h"

#include <algorithm>

#include "sinew/base/time.h"

#include "apps/controller/pace.h"

namespace sinew::bench {
namespace {

/// Each step waits for the one before, so nothing but the clock of the core matters.
double compute(std::int64_t steps) {
  double x = 1.0;
  for (std::int64_t i = 0; i < steps; ++i) x = x * 1.0000001 + 1e-9;
  return x;
}

std::int64_t time_of(std::int64_t steps) {
  [[maybe_unused]] static volatile double kept = 0.0;
  const std::int64_t began_ns = monotonic_now_ns();
  kept = compute(steps);
  return monotonic_now_ns() - began_ns;
}

// The shortest of many times is that of a core that nobody disturbs.
std::int64_t steps_for(std::int64_t length_ns) {
  constexpr std::int64_t kTried = 10'000;
  constexpr int kTimes = 200;
  std::int64_t shortest_ns = time_of(kTried);
  for (int i = 0; i < kTimes; ++i) shortest_ns = std::min(shortest_ns, time_of(kTried));
  return std::max<std::int64_t>(1, kTried * length_ns / std::max<std::int64_t>(1, shortest_ns));
}

}  // namespace

Histogram measure_yardstick(double seconds, std::int64_t length_ns, std::int64_t early_ns) {
  const std::int64_t steps = steps_for(length_ns);
  Histogram times;
  TimerPace pace(kMillisecond_ns, early_ns);
  for (int cycle = 0; cycle < static_cast<int>(seconds * 1000.0); ++cycle) {
    static_cast<void>(pace.wait());
    times.add(time_of(steps));
  }
  return times;
}

}  // namespace sinew::bench
