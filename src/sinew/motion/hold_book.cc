// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/hold_book.h"

#include <algorithm>

namespace sinew {

const HoldBook::Press* HoldBook::find(std::uint64_t press) const {
  const auto found = std::ranges::find(presses_, press, &Press::number);
  return found == presses_.end() ? nullptr : &*found;
}

void HoldBook::take(const HoldBeat& beat, std::int64_t now_ns) {
  if (beat.press == 0) return;
  // nobody can have held it at a time to come
  const std::int64_t held_ns = std::min(beat.stamp_ns, now_ns);
  auto found = std::ranges::find(presses_, beat.press, &Press::number);
  if (found == presses_.end()) {
    if (presses_.size() == kMostPresses) presses_.erase(presses_.begin());
    found = presses_.insert(presses_.end(), {.number = beat.press, .beat_ns = held_ns});
  }
  found->is_released = is_over(*found, now_ns) || beat.is_released != 0;
  if (!found->is_released) found->beat_ns = std::max(found->beat_ns, held_ns);
}

bool HoldBook::is_held(std::uint64_t press, std::int64_t now_ns) const {
  const Press* found = find(press);
  return found != nullptr && !found->is_released && now_ns - found->beat_ns <= kSilence_ns;
}

bool HoldBook::is_over(std::uint64_t press, std::int64_t now_ns) const {
  const Press* found = find(press);
  return found == nullptr || is_over(*found, now_ns);
}

void HoldBook::end_all() {
  for (Press& press : presses_) press.is_released = true;
}

}  // namespace sinew
