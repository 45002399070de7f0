// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

namespace sinew {

/// Presses of STOP that the controller was told of. A page sends each by two ways, for one of them may be cut
/// or crowded; whichever comes first stops the robot, and the other one is no second stop: it may come when
/// the robot was reset already. One thread.
class StopPresses {
 public:
  static constexpr std::size_t kMost = 64;  ///< Remembered; a press forgotten too early only stops again.

  /// Whether the controller was told of this press of this person. Without a number (zero) it never was.
  bool was_told(std::string_view who, std::uint64_t press) const {
    return press != 0 && std::ranges::any_of(
                             told_, [&](const Press& one) { return one.number == press && one.who == who; });
  }

  void note_told(std::string_view who, std::uint64_t press) {
    if (press == 0) return;
    if (told_.size() == kMost) told_.pop_front();
    told_.push_back({.who = std::string(who), .number = press});
  }

 private:
  struct Press {
    std::string who;
    std::uint64_t number = 0;
  };
  std::deque<Press> told_;  // oldest first
};

}  // namespace sinew
