// SPDX-License-Identifier: BSD-3-Clause
#include "apps/controller/pace.h"

#include <time.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "sinew/base/time.h"

namespace sinew {
namespace {

/// A device may be late by this much before the cycle goes on without it.
constexpr std::int64_t kSilence_ns = 50 * kMillisecond_ns;
/// One with a clock of its own by more: while the machine keeps a simulator from its turn, its world stands.
constexpr std::int64_t kWorldSilence_ns = 500 * kMillisecond_ns;

void sleep_until(std::int64_t due_ns) {
  const timespec due{.tv_sec = due_ns / kSecond_ns, .tv_nsec = due_ns % kSecond_ns};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, nullptr) == EINTR) {
  }
}

}  // namespace

TimerPace::TimerPace(std::int64_t period_ns, std::int64_t early_ns)
    : period_ns_(period_ns), early_ns_(std::clamp<std::int64_t>(early_ns, 0, period_ns / 2)) {}

Beat TimerPace::wait() noexcept {
  if (due_ns_ == 0) due_ns_ = monotonic_now_ns();
  due_ns_ += period_ns_;
  sleep_until(due_ns_ - early_ns_);
  std::int64_t late_ns = monotonic_now_ns() - due_ns_;
  while (late_ns < 0) late_ns = monotonic_now_ns() - due_ns_;
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
  // once it has fallen silent, the robot brakes in its own time and not in steps of the patience
  const std::int64_t patience_ns = is_silent_ ? period_ns_ : kSilence_ns;
  const ExternalDriver::Arrival arrival = driver_.wait_for_state(monotonic_now_ns() + patience_ns);
  const std::int64_t now_ns = monotonic_now_ns();
  if (monotonic_ns_ == 0) monotonic_ns_ = now_ns;
  // until the first state nobody knows what time it is for the robot
  const bool is_first = stamp_ns_ == 0;
  bool is_going = true;
  if (arrival.is_new) {
    is_going = arrival.stamp_ns > stamp_ns_;
    stamp_ns_ = arrival.stamp_ns;
    // a device that was started anew may be behind
    answered_ns_ = std::min(answered_ns_, stamp_ns_);
    robot_ns_ = std::max(robot_ns_, arrival.stamp_ns);
    monotonic_ns_ = now_ns;
  } else {
    is_going = go_on_alone(now_ns);
  }
  Beat beat{.now_ns = robot_ns_,
            .wake_latency_ns = arrival.is_new ? std::max<std::int64_t>(0, now_ns - arrival.put_ns) : 0,
            .is_due = is_due(now_ns, arrival.is_new),
            .is_going = is_going};
  if (arrival.is_new) is_silent_ = false;
  if (!beat.is_due) return beat;
  const std::int64_t periods = is_first ? 1 : (robot_ns_ - cycle_ns_) / period_ns_;
  beat.skipped = static_cast<std::uint64_t>(std::max<std::int64_t>(0, periods - 1));
  cycle_ns_ = robot_ns_;
  answered_ns_ = stamp_ns_;
  return beat;
}

// False: the world stands. One slower than real time is silent when it has left out as much of its own.
bool StatePace::go_on_alone(std::int64_t now_ns) noexcept {
  const std::optional<Clock> clock = clock_.newest(now_ns);
  const double rate = clock ? std::min(clock->rate, 1.0) : 1.0;
  const auto passed_ns = static_cast<std::int64_t>(rate * static_cast<double>(now_ns - monotonic_ns_));
  const bool was_silent = is_silent_;
  is_silent_ |= passed_ns >= (clock ? kWorldSilence_ns : kSilence_ns);
  if (rate > 0.0 && !is_silent_) return true;
  // a world that was waited for stood meanwhile
  robot_ns_ += was_silent ? passed_ns : std::min(passed_ns, kSilence_ns);
  monotonic_ns_ = now_ns;
  return rate > 0.0;
}

// Each cycle moves the robot on by one period, so robot time must have gone on by as much.
bool StatePace::is_due(std::int64_t now_ns, bool has_news) noexcept {
  // stamps of a device with a clock of its own are exact; others are as late as whoever wrote them
  const std::int64_t slack_ns = period_ns_ / (clock_.newest(now_ns) ? 1000 : 4);
  const std::int64_t shortest_ns = period_ns_ - slack_ns;
  if (robot_ns_ - spent_ns_ >= shortest_ns) {
    spent_ns_ = std::max(spent_ns_ + period_ns_, robot_ns_ - slack_ns);
    return true;
  }
  // a device that was late is answered at once, though time has gone on without it
  const bool is_late = is_silent_ || stamp_ns_ <= cycle_ns_;
  return has_news && is_late && stamp_ns_ - answered_ns_ >= shortest_ns;
}

}  // namespace sinew
