// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sinew/channels/channel.h"
#include "sinew/messages/safety.h"
#include "sinew/messages/schemas.h"
#include "sinew/model/robot_model.h"

#include "apps/web/alarm_log.h"
#include "apps/web/robot_desk.h"

namespace sinew {

/// What `safety` says, as an alarm that has not begun yet; nothing: all is well.
std::optional<Alarm> alarm_of(const Safety& safety, const RobotModel& model, std::uint32_t fault_bits);

/// Makes alarms of what the controller says, one after the other: each begins, may come again, is over. What
/// is over for a moment and comes back, as at a key held against a limit, is one alarm that is counted.
class AlarmKeeper {
 public:
  static constexpr std::int64_t kSameFor_ns = 10'000'000'000;

  /// `log` must outlive it.
  explicit AlarmKeeper(AlarmLog& log) : log_(log) {}

  /// `recording`: what the controller has saved last, of this or an earlier stop.
  void see(const std::optional<Alarm>& now, const std::string& recording, std::int64_t wall_ns);

 private:
  void take_up(std::int64_t wall_ns);
  void begin(const Alarm& alarm, std::int64_t wall_ns);
  void clear(std::int64_t wall_ns);
  void note_recording(const std::string& recording);

  AlarmLog& log_;
  bool has_looked_ = false;
  std::uint64_t active_ = 0;  // zero: none
  std::uint64_t last_ = 0;    // the one that a recording would be of
  std::string recording_;     // that was seen already
};

/// Reads every word of the controller on `safety`, whether or not somebody watches. One thread.
class AlarmWatch {
 public:
  /// Both must outlive it.
  AlarmWatch(RobotDesk& robot, AlarmLog& log) : robot_(robot), log_(log), keeper_(log) {}

  /// To be called again after the pause [ns] that it answers with.
  std::int64_t look(std::int64_t now_ns, std::int64_t wall_ns);

 private:
  void see(const Safety& safety, const cli::RobotLink& link, std::int64_t wall_ns);
  void miss(std::int64_t now_ns, std::int64_t wall_ns);
  void tell_trouble();

  RobotDesk& robot_;
  AlarmLog& log_;
  AlarmKeeper keeper_;
  std::optional<Reader<Safety>> reader_;
  std::uint64_t opening_ = 0;
  std::int64_t there_ns_ = 0;  // when the robot was last there; zero: it never was
  std::string told_trouble_;
};

}  // namespace sinew
