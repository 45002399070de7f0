// SPDX-License-Identifier: BSD-3-Clause
// What goes on only while a key is held.
#include <algorithm>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"
#include "sinew/motion/motion_service.h"

namespace sinew {

// To let go is allowed to everybody.
void MotionService::take_beat(const HoldBeat& beat, std::int64_t now_ns) {
  if (beat.is_released != 0 || ownership_.allows(text_of(beat.who))) holds_.take(beat, now_ns);
}

Status MotionService::check_hold(const Request& request, std::int64_t now_ns) const {
  if (request.hold == 0 || holds_.is_held(request.hold, now_ns)) return Done{};
  return Error{ErrorCode::Denied, "this runs only while its key is held, and that is not: press it anew"};
}

bool MotionService::is_held_back(const Motion& motion, std::int64_t now_ns) const {
  const std::uint64_t press = motion.request.hold;
  return press != 0 && (motion.has_lost_press || !holds_.is_held(press, now_ns));
}

// The book forgets presses in time; what they held does not.
void MotionService::note_lost_presses(std::int64_t now_ns) {
  for (Motion& motion : queue_.all())
    motion.has_lost_press |= motion.request.hold != 0 && holds_.is_over(motion.request.hold, now_ns);
}

bool MotionService::lets_go(std::int64_t now_ns) const {
  return std::ranges::any_of(queue_.all(), [&](const Motion& motion) {
    const bool is_sent = motion.stage == Stage::Moving && !motion.planned && !motion.is_over;
    return is_sent && motion.wanted_rate > 0.0 && is_held_back(motion, now_ns);
  });
}

bool MotionService::tie(std::uint64_t number, std::uint64_t press) {
  const auto named = std::ranges::find_if(
      queue_.all(), [&](const Motion& motion) { return motion.number == number && motion.is_due(); });
  if (named == queue_.all().end()) return false;
  const std::uint64_t before = named->request.hold;
  for (Motion& motion : queue_.all()) {
    const bool is_same = before == 0 ? motion.number == number : motion.request.hold == before;
    if (!is_same) continue;
    motion.request.hold = press;
    motion.has_lost_press = false;
  }
  return true;
}

void MotionService::resume_held(std::uint64_t number, const Request& request, std::int64_t now_ns) {
  if (const Status held = check_hold(request, now_ns); !held)
    return refuse(number, held.error().message, now_ns);
  if (!tie(request.number, request.hold))
    return refuse(number, fmt::format("request {} is over, or never was", request.number), now_ns);
  const bool has_others = std::ranges::any_of(queue_.all(), [&](const Motion& motion) {
    return motion.is_due() && motion.request.hold != request.hold;
  });
  if (is_paused_ && has_others)
    return refuse(number, "others are paused as well: resume these first, without a key", now_ns);
  is_paused_ = false;
  answer(number, ReplyStatus::Done, fmt::format("request {} goes on while its key is held", request.number),
         now_ns);
}

}  // namespace sinew
