// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace sinew::cli {

/// Lines that have come before their turn. The word `stop` on a line of its own, and the stop key at the
/// beginning of a line, need not wait for it. A value: reads no device.
class TypedAhead {
 public:
  /// The key that stops, where single keys are seen: at the beginning of a line.
  static constexpr char kStopKey = ' ';

  /// `sees_keys`: bytes are keys of a terminal, so the stop key counts, and what is typed can be corrected.
  explicit TypedAhead(bool sees_keys) : sees_keys_(sees_keys) {}

  /// Takes bytes as they come.
  void take(std::string_view bytes);
  /// Whether somebody wants a stop; then that and all that was sent before it is dropped.
  bool take_stop();

  /// The oldest whole line that is kept; nothing when there is none.
  std::optional<std::string> next_line();
  /// A line that has been begun; it is given away.
  std::string take_begun();
  /// What a terminal is to show for the keys taken since the last call.
  std::string take_echo();
  /// How many other lines were dropped by the last stop.
  std::size_t dropped() const { return dropped_; }

 private:
  enum class Escape { None, Begun, Sequence };
  bool skips(char byte);
  void take_key(char byte);
  void rub_out();
  void end_line();

  bool sees_keys_;
  Escape escape_ = Escape::None;
  std::string begun_;
  std::string echo_;
  std::deque<std::string> lines_;
  std::size_t dropped_ = 0;
  bool has_stop_key_ = false;
};

/// Whether a line is the command `stop`.
bool is_stop_line(std::string_view line);

}  // namespace sinew::cli
