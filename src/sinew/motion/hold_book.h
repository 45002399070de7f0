// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sinew/base/time.h"
#include "sinew/messages/jog.h"

namespace sinew {

/// Which presses of keys are held, by what their hands say again and again (HoldBeat).
///
/// A press is held for kSilence_ns after its last beat. Short silences are forgiven: the finger was on the
/// key all the time. One that was let go, or silent for kLost_ns, is over, and no beat brings it back. Takes
/// values and gives values; knows no clock. Not a safety function. One thread.
class HoldBook {
 public:
  static constexpr std::int64_t kSilence_ns = 150 * kMillisecond_ns;
  static constexpr std::int64_t kLost_ns = kSecond_ns;
  static constexpr std::size_t kMostPresses = 32;  ///< Remembered; the oldest is forgotten, and is over.

  void take(const HoldBeat& beat, std::int64_t now_ns);

  bool is_held(std::uint64_t press, std::int64_t now_ns) const;
  /// Let go or lost for good; also a press that was never heard of.
  bool is_over(std::uint64_t press, std::int64_t now_ns) const;

  /// No hand counts any more.
  void end_all();

 private:
  struct Press {
    std::uint64_t number = 0;
    std::int64_t beat_ns = 0;  ///< When it was last held.
    bool is_released = false;
  };
  const Press* find(std::uint64_t press) const;
  static bool is_over(const Press& press, std::int64_t now_ns) {
    return press.is_released || now_ns - press.beat_ns > kLost_ns;
  }

  std::vector<Press> presses_;  // oldest first
};

}  // namespace sinew
