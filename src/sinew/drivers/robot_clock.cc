// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/drivers/robot_clock.h"

#include <algorithm>
#include <utility>

namespace sinew {
namespace {

constexpr double kMostRate = 1e4;
/// A world that has not told for so long has been kept from its turn: it stands until it goes on.
constexpr std::int64_t kMostGuessed_ns = 50 * kMillisecond_ns;

}  // namespace

RobotClock::RobotClock(std::string robot, std::string space)
    : robot_(std::move(robot)), space_(std::move(space)) {}

void RobotClock::open(bool may_create) {
  if ((reader_ && !is_removed_) || robot_.empty()) return;
  auto opened =
      Reader<Clock>::open({.name = clock_channel(robot_), .space = space_, .may_create = may_create});
  if (!opened) return;
  reader_ = *std::move(opened);
  is_heard_ = false;
  is_removed_ = false;
}

std::optional<Clock> RobotClock::newest(std::int64_t monotonic_ns) SINEW_REALTIME {
  if (!reader_) return std::nullopt;
  const int status = reader_->read_fresh(frame_);
  is_heard_ |= status == SINEW_OK;
  is_removed_ |= status == SINEW_REMOVED;
  const Clock& clock = frame_.message;
  const bool is_sound = clock.rate >= 0.0 && clock.rate <= kMostRate;
  if (!is_heard_ || !is_sound || monotonic_ns - clock.monotonic_ns > kSilence_ns) return std::nullopt;
  return clock;
}

std::optional<std::int64_t> RobotClock::now_ns(std::int64_t monotonic_ns) SINEW_REALTIME {
  const std::optional<Clock> clock = newest(monotonic_ns);
  if (!clock) return std::nullopt;
  const auto passed_ns = static_cast<double>(monotonic_ns - clock->monotonic_ns);
  // a world faster than real time tells so often that nothing need be guessed, and may stop at any step
  const auto guessed_ns = static_cast<std::int64_t>(std::min(clock->rate, 1.0) * passed_ns);
  return clock->stamp_ns + std::min(guessed_ns, kMostGuessed_ns);
}

double RobotClock::rate(std::int64_t monotonic_ns) SINEW_REALTIME {
  const std::optional<Clock> clock = newest(monotonic_ns);
  return clock ? clock->rate : 1.0;
}

}  // namespace sinew
