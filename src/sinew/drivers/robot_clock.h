// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sinew/base/realtime.h"
#include "sinew/base/time.h"
#include "sinew/channels/channel.h"
#include "sinew/messages/schemas.h"
#include "sinew/messages/world.h"

namespace sinew {

/// The time of a robot that may be simulated: of the channel `ROBOT/clock` while somebody tells it there, so
/// that a world that is slow or stands still is no robot that has fallen silent. One thread.
class RobotClock {
 public:
  /// A clock not heard of for so long tells nothing any more: its simulator is gone.
  static constexpr std::int64_t kSilence_ns = kSecond_ns;

  RobotClock() = default;
  RobotClock(std::string robot, std::string space);

  /// Opens the channel where there is one; cheap once it is open. Not for the cycle.
  void look() { open(false); }
  /// Opens the channel and makes it where there is none: for who knows that a simulator comes. Not for the
  /// cycle.
  void make() { open(true); }

  /// The newest that the clock said, if it is still to be believed at `monotonic_ns`.
  std::optional<Clock> newest(std::int64_t monotonic_ns) SINEW_REALTIME;
  /// Robot time at `monotonic_ns`, guessed for 50 ms at most; none when no clock tells it.
  std::optional<std::int64_t> now_ns(std::int64_t monotonic_ns) SINEW_REALTIME;
  /// Robot seconds per second; 1 when no clock tells it.
  double rate(std::int64_t monotonic_ns) SINEW_REALTIME;

 private:
  void open(bool may_create);

  std::string robot_;
  std::string space_;
  std::optional<Reader<Clock>> reader_;
  Frame<Clock> frame_{};
  bool is_heard_ = false;
  bool is_removed_ = false;
};

/// The name of a robot's clock, and of what its world is asked by.
inline std::string clock_channel(const std::string& robot) {
  return robot + "/clock";
}
inline std::string simulation_channel(const std::string& robot) {
  return robot + "/simulation";
}

}  // namespace sinew
