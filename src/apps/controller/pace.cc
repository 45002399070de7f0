// SPDX-License-Identifier: BSD-3-Clause
#include "apps/controller/pace.h"

#include <time.h>

#include <algorithm>
#include <utility>

#include "sinew/base/time.h"

namespace sinew {
namespace {

/// A simulated device may be late by this much before the cycle goes on without it.
constexpr std::int64_t kSilence_ns = 50 * kMillisecond_ns;

void sleep_until(std::int64_t due_ns) {
  const timespec due{.tv_sec = due_ns / kSecond_ns, .tv_nsec = due_ns % kSecond_ns};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, nullptr) == EINTR) {
  }
}

}  // namespace

TimerPace::TimerPace(std::int64_t period_ns) : period_ns_(period_ns) {}

Beat TimerPace::wait() noexcept {
  if (due_ns_ == 0) due_ns_ = monotonic_now_ns();
  due_ns_ += period_ns_;
  sleep_until(due_ns_);
  const std::int64_t late_ns = monotonic_now_ns() - due_ns_;
  const std::int64_t skipped = late_ns / period_ns_;
  due_ns_ += skipped * period_ns_;
  // not when it woke: what is sampled at this time must not shake with the wake-ups
  return {.now_ns = due_ns_, .wake_latency_ns = late_ns, .skipped = static_cast<std::uint64_t>(skipped)};
}

StatePace::StatePace(ExternalDriver& driver, RobotClock clock, std::int64_t period_ns)
    : driver_(driver), clock_(std::move(clock)), period_ns_(period_ns) {
  clock_.make();
}

Beat StatePace::wait() noexcept {
  const ExternalDriver::Arrival arrival = driver_.wait_for_state(monotonic_now_ns() + kSilence_ns);
  const std::int64_t now_ns = monotonic_now_ns();
  const std::int64_t before_ns = robot_ns_;
  // a device that was late is answered at once, though time has gone on without it
  bool is_due = arrival.is_new && arrival.stamp_ns > stamp_ns_;
  // until the first state nobody knows what time it is for the robot
  const bool is_first = stamp_ns_ == 0;
  if (arrival.is_new) {
    stamp_ns_ = arrival.stamp_ns;
    robot_ns_ = std::max(robot_ns_, arrival.stamp_ns);
  } else {
    const auto silent_ns = static_cast<double>(monotonic_ns_ == 0 ? 0 : now_ns - monotonic_ns_);
    robot_ns_ += static_cast<std::int64_t>(std::min(clock_.rate(now_ns), 1.0) * silent_ns);
    is_due = robot_ns_ > before_ns;
  }
  monotonic_ns_ = now_ns;
  const std::int64_t periods = is_first ? 1 : (robot_ns_ - before_ns) / period_ns_;
  return {.now_ns = robot_ns_,
          .wake_latency_ns = arrival.is_new ? std::max<std::int64_t>(0, now_ns - arrival.put_ns) : 0,
          .skipped = static_cast<std::uint64_t>(std::max<std::int64_t>(0, periods - 1)),
          .is_due = is_due};
}

}  // namespace sinew
