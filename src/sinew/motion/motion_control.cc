// SPDX-License-Identifier: BSD-3-Clause
// Who is obeyed, how fast all that is planned runs, and what is told of it.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"
#include "sinew/motion/motion_service.h"

namespace sinew {
namespace {

constexpr double kLeastOverride = 0.01;

std::string count_words(std::size_t count) {
  return fmt::format("{} motion{}", count, count == 1 ? "" : "s");
}

// Nothing that moves is left of what has been sent.
bool stands_still(const MotionInHand& motion, std::int64_t now_ns) {
  if (motion.planned) return true;
  return motion.playback.rate() == 0.0 &&
         motion.progress.nominal_at(now_ns) >= motion.playback.nominal_time();
}

}  // namespace

void MotionService::take_control(std::uint64_t number, const Request& request, std::int64_t now_ns) {
  const std::string who(text_of(request.who));
  if (who.empty()) return refuse(number, "control is taken by a name: say who you are", now_ns);
  const std::string before = ownership_.owner();
  if (before == who) return void(answer(number, ReplyStatus::Done, "you have control already", now_ns));
  ownership_.take(who);
  holds_.end_all();
  const std::size_t count =
      abort_if([&](const Motion& motion) { return text_of(motion.request.who) != who; },
               fmt::format("'{}' has taken control with request {}", who, number), now_ns);
  is_paused_ = false;
  std::string words =
      before.empty() ? "you have control" : fmt::format("you have control; '{}' had it", before);
  if (count > 0) words += fmt::format(", and {} of others end", count_words(count));
  answer(number, ReplyStatus::Done, words, now_ns);
}

void MotionService::leave_control(std::uint64_t number, std::int64_t now_ns) {
  const bool was_owned = !ownership_.owner().empty();
  ownership_.leave();
  holds_.end_all();
  answer(number, ReplyStatus::Done,
         was_owned ? "left: whoever asks is obeyed" : "nobody had control: whoever asks is obeyed", now_ns);
}

void MotionService::pause(std::uint64_t number, std::int64_t now_ns) {
  const bool was_paused = std::exchange(is_paused_, true);
  const auto count = static_cast<std::size_t>(std::ranges::count_if(queue_.all(), &Motion::is_due));
  answer(number, ReplyStatus::Done,
         was_paused   ? "paused already"
         : count == 0 ? "paused: what is asked for next waits until you resume"
                      : fmt::format("pausing {}", count_words(count)),
         now_ns);
}

void MotionService::resume(std::uint64_t number, const Request& request, std::int64_t now_ns) {
  if (request.hold != 0) return resume_held(number, request, now_ns);
  const auto held = std::ranges::find_if(
      queue_.all(), [&](const Motion& motion) { return motion.is_due() && is_held_back(motion, now_ns); });
  if (!is_paused_ && held != queue_.all().end())
    return refuse(number, fmt::format("request {} goes on only while its key is held", held->number), now_ns);
  const bool was_paused = std::exchange(is_paused_, false);
  const auto count = static_cast<std::size_t>(std::ranges::count_if(queue_.all(), &Motion::is_due));
  answer(number, ReplyStatus::Done,
         was_paused ? fmt::format("going on with {}", count_words(count)) : "it was not paused", now_ns);
}

void MotionService::set_override(std::uint64_t number, const Request& request, std::int64_t now_ns) {
  if (!(request.speed >= kLeastOverride && request.speed <= 1.0))
    return refuse(number,
                  fmt::format("an override of {:g} % cannot be: it is 1 to 100 %; to stand still, pause",
                              100.0 * request.speed),
                  now_ns);
  override_ = request.speed;
  answer(number, ReplyStatus::Done,
         fmt::format("all that is planned runs at {:g} % of its speed", 100.0 * override_), now_ns);
}

MotionState MotionService::motion_state(std::int64_t now_ns) const {
  MotionState state{.stamp_ns = now_ns,
                    .phase = phase(now_ns),
                    .queue_length = static_cast<std::uint32_t>(queue_.queued()),
                    .override_share = override_};
  set_text(state.owner, ownership_.owner());
  const Motion* oldest = queue_.oldest();
  if (oldest == nullptr) return state;
  state.request = oldest->number;
  const double length = oldest->playback.nominal_duration();
  if (oldest->stage == Stage::Settling) state.progress = 1.0;
  if (oldest->stage != Stage::Moving || !(length > 0.0)) return state;
  const double come_to = oldest->progress.nominal_at(now_ns);
  state.progress = std::clamp(come_to / length, 0.0, 1.0);
  state.remaining = std::max(0.0, length - come_to) / override_;
  return state;
}

MotionPhase MotionService::phase(std::int64_t now_ns) const {
  bool is_moving = false;
  bool is_braking = false;
  bool is_waiting = false;
  bool stands = true;
  for (const Motion& motion : queue_.all()) {
    const bool waits = motion.stage == Stage::Moving && is_held_back(motion, now_ns);
    is_waiting |= waits;
    is_moving |= (motion.stage == Stage::Moving && !waits) || motion.stage == Stage::Settling;
    is_braking |= motion.stage == Stage::Braking;
    stands &=
        motion.stage != Stage::Braking && (motion.stage != Stage::Moving || stands_still(motion, now_ns));
  }
  if (is_paused_) return stands ? MotionPhase::Paused : MotionPhase::Pausing;
  if (is_moving) return MotionPhase::Moving;
  if (is_waiting) return stands ? MotionPhase::Paused : MotionPhase::Pausing;
  if (is_braking) return MotionPhase::Braking;
  return queue_.all().empty() ? MotionPhase::Idle : MotionPhase::Planning;
}

}  // namespace sinew
