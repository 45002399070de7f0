// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "sinew/base/histogram.h"
#include "sinew/drivers/external_driver.h"
#include "sinew/drivers/robot_clock.h"

namespace sinew {

/// When a cycle begins.
struct Beat {
  std::int64_t now_ns = 0;           ///< Robot time: when it was due.
  std::int64_t wake_latency_ns = 0;  ///< From when it was due to when it began.
  std::uint64_t skipped = 0;         ///< Cycles that were due in between: not made up.
  bool is_due = true;                ///< False: robot time has not gone on by a period; no cycle now.
  bool is_going = true;              ///< False: robot time stands (a paused simulation).
};

/// Says when the next cycle begins. One thread.
class Pace {
 public:
  virtual ~Pace() = default;
  virtual Beat wait() noexcept = 0;
};

/// Every period of the monotonic clock, at absolute times, so that nothing drifts.
class TimerPace final : public Pace {
 public:
  /// It sleeps until `early_ns` before a cycle is due, half a period at most, and looks at the clock from
  /// then on: what wakes it late, and caches that have gone cold, cost the cycle nothing. That share of a
  /// core is the price.
  explicit TimerPace(std::int64_t period_ns, std::int64_t early_ns = 0);
  Beat wait() noexcept override;

 private:
  std::int64_t period_ns_;
  std::int64_t early_ns_;
  std::int64_t due_ns_ = 0;
};

/// In step with the device's states: robot time is the device's. For simulations, which may run faster,
/// slower or not at all. A device that tells more often than the controller's period is answered once in that
/// period: each cycle moves the robot on by one. A device that falls silent does not stop the cycle for long:
/// after 50 ms time goes on without it. Where a clock tells that the world stands, or is slow, it is waited
/// for; one that should go and is silent has been kept from its turn, and is gone after half a second.
class StatePace final : public Pace {
 public:
  /// `driver` must outlive this object.
  StatePace(ExternalDriver& driver, RobotClock clock, std::int64_t period_ns);
  Beat wait() noexcept override;

 private:
  bool is_due(std::int64_t now_ns, bool has_news) noexcept;
  bool go_on_alone(std::int64_t now_ns) noexcept;

  ExternalDriver& driver_;
  RobotClock clock_;
  std::int64_t period_ns_;
  std::int64_t stamp_ns_ = 0;      // of the last state
  std::int64_t answered_ns_ = 0;   // of the last state that a cycle answered
  std::int64_t robot_ns_ = 0;      // now
  std::int64_t cycle_ns_ = 0;      // robot time of the last cycle
  std::int64_t spent_ns_ = 0;      // robot time up to which cycles have moved the robot on
  std::int64_t monotonic_ns_ = 0;  // when robot_ns_ was true
  bool is_silent_ = false;         // the device does not tell
};

}  // namespace sinew
