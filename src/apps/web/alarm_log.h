// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/result.h"

namespace sinew {

/// Something that kept the robot from doing what was wanted.
struct Alarm {
  std::uint64_t number = 0;          ///< Counts up, over all runs of the robot.
  std::int64_t wall_ns = 0;          ///< When it began, since 1970.
  std::string level;                 ///< "alarm": stopped or faulted; "warning": held, guarded, overridden.
  std::string state;                 ///< Of the controller: "stopped".
  std::string reason;                ///< "self-collision"; what to do about it goes by this word.
  std::string text;                  ///< In words.
  std::string who;                   ///< Who asked for it; empty: nobody did.
  std::string key;                   ///< The same for the same happening, whoever looks at it.
  std::string recording;             ///< What was saved of it; empty: nothing.
  std::uint64_t count = 1;           ///< How often, when it came again and again.
  std::int64_t cleared_wall_ns = 0;  ///< When it was over; zero: it is not.
  std::string seen_by;               ///< Who has acknowledged it; empty: nobody.
  std::int64_t seen_wall_ns = 0;
};

/// The alarms of a robot, kept in a file to which lines are appended: what is told is there after the process
/// was killed at any instant. Bounded: of kMost the oldest goes. One thread.
class AlarmLog {
 public:
  static constexpr std::size_t kMost = 1000;
  static constexpr std::size_t kMostLetters = 400;  ///< Of each text.

  explicit AlarmLog(std::filesystem::path file) : file_(std::move(file)) {}

  /// Reads what is kept. Lines that are no alarm, as the last one after a loss of power, are left out. What
  /// cannot be read at all is put aside, and told.
  Status load();

  /// Adds one with the next number, which it answers.
  std::uint64_t add(Alarm alarm);
  /// Puts it in the place of the one of the same number; nothing when that is gone.
  void change(const Alarm& alarm);
  /// Somebody has seen all up to this number. Answers how many nobody had seen before.
  std::size_t acknowledge(std::uint64_t up_to, std::string_view who, std::int64_t wall_ns);
  /// The same for one. NotFound: there is none.
  Status acknowledge_one(std::uint64_t number, std::string_view who, std::int64_t wall_ns);

  /// The oldest first.
  const std::deque<Alarm>& all() const { return alarms_; }
  const Alarm* find(std::uint64_t number) const;
  /// The newest that are older than `before`, newest first; zero: no matter how old.
  std::vector<Alarm> older_than(std::uint64_t before, std::size_t most) const;
  std::size_t unseen() const;

  /// Counts up with every change.
  std::uint64_t changes() const { return changes_; }
  /// What could not be written, why, and what becomes of it; empty: nothing.
  const std::string& trouble() const { return trouble_; }
  /// Tries again to write what could not be written. To be called now and then.
  void retry();

 private:
  void keep(const Alarm& alarm);
  void note(const Status& written);
  void take(Alarm alarm);
  Status append(const std::string& line) const;
  Status write_anew() const;

  std::filesystem::path file_;
  std::deque<Alarm> alarms_;
  std::uint64_t newest_ = 0;
  std::size_t lines_ = 0;
  std::uint64_t changes_ = 1;
  std::size_t unwritten_ = 0;  // changes since the file was whole
  std::string trouble_;
};

}  // namespace sinew
