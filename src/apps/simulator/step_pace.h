// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>

#include "sinew/base/time.h"

namespace sinew {

/// When a simulation that runs beside a clock takes its next step: at absolute times, so that it does not
/// drift; after a delay two steps at a time until it has caught up, never more; after a long one it lets the
/// lost time go. A value: time is an argument.
class StepPace {
 public:
  /// `speed`: simulated seconds per second.
  StepPace(std::int64_t step_ns, double speed, std::int64_t now_ns)
      : period_ns_(
            std::max<std::int64_t>(1, static_cast<std::int64_t>(static_cast<double>(step_ns) / speed))),
        due_ns_(now_ns + period_ns_) {}

  /// When to wake next.
  std::int64_t due_ns() const { return due_ns_; }

  /// How many steps to take now: none before due_ns(), else one, or two while behind.
  int steps_at(std::int64_t now_ns) {
    if (now_ns < due_ns_) return 0;
    if (now_ns - due_ns_ > kMostLate_ns) {
      lost_ns_ += now_ns - due_ns_;
      due_ns_ = now_ns;
    }
    const int steps = now_ns - due_ns_ >= period_ns_ ? 2 : 1;
    due_ns_ += steps * period_ns_;
    return steps;
  }

  /// Starts anew, as after a pause: nothing is caught up.
  void resume_at(std::int64_t now_ns) { due_ns_ = now_ns + period_ns_; }

  /// Time that was let go, because the simulation was stopped or too slow for too long.
  std::int64_t lost_ns() const { return lost_ns_; }

  static constexpr std::int64_t kMostLate_ns = 100 * kMillisecond_ns;

 private:
  std::int64_t period_ns_;
  std::int64_t due_ns_;
  std::int64_t lost_ns_ = 0;
};

}  // namespace sinew
