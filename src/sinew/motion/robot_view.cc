// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/robot_view.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/text.h"
#include "sinew/base/time.h"
#include "sinew/collision/contact_text.h"
#include "sinew/control/safety_text.h"

namespace sinew {
namespace {

constexpr std::int64_t kStale_ns = 500 * kMillisecond_ns;
constexpr double kRestVelocity = 1e-4;  // [rad/s, m/s] of what is sent

// Why it is held, and since when: `age_ns`.
std::string held_because(const Safety& safety, std::int64_t age_ns) {
  const std::string_view who = text_of(safety.who);
  const std::string ago = fmt::format("{} ago", duration_text(age_ns));
  switch (safety.reason) {
    case StopReason::Restarted:
      return who.empty()
                 ? fmt::format(": its controller had died and was started anew {}; 'reset' lets it run", ago)
                 : fmt::format(": its controller was started anew by {} {}; 'reset' lets it run", who, ago);
    case StopReason::UnknownWorld:
      return fmt::format(
          ": the world that its controller found {} cannot be read; the controller's log says why", ago);
    default:
      return fmt::format(" since {}; 'reset' lets it run", ago);
  }
}

}  // namespace

Status RobotView::is_ready(std::int64_t now_ns) const {
  const auto refuse = [](std::string words) { return Error{ErrorCode::Denied, std::move(words)}; };
  if (state_.stamp_ns == 0 || state_.joint_count != model_.positions.size())
    return refuse("the robot has not said where it is: is its controller running?");
  if (now_ns - state_.stamp_ns > kStale_ns)
    return refuse(fmt::format("the robot has not said where it is for {}: is its controller running?",
                              duration_text(now_ns - state_.stamp_ns)));
  if (safety_.state == ControlState::Running) return Done{};
  if (safety_.state == ControlState::Held)
    return refuse(fmt::format("the robot is held{}", held_because(safety_, now_ns - safety_.since_ns)));
  return refuse("the robot is " + state_sentence(safety_, &model_, state_.fault_bits));
}

std::span<const double> RobotView::sent() const {
  const bool is_sent = command_.stamp_ns != 0 && command_.joint_count == model_.positions.size();
  return {is_sent ? command_.position.data() : state_.position.data(), model_.positions.size()};
}

std::span<const double> RobotView::measured() const {
  return {state_.position.data(), model_.positions.size()};
}

bool RobotView::rests(std::uint64_t joint_mask) const {
  for (std::size_t i = 0; i < model_.positions.size(); ++i)
    if ((joint_mask >> i & 1) != 0 && std::abs(command_.velocity[i]) > kRestVelocity) return false;
  return true;
}

bool RobotView::rests_wholly(std::uint64_t joint_mask) const {
  for (std::size_t i = 0; i < model_.positions.size(); ++i) {
    const bool moves = command_.velocity[i] != 0.0 || command_.acceleration[i] != 0.0;
    if ((joint_mask >> i & 1) != 0 && moves) return false;
  }
  return true;
}

RobotView::Miss RobotView::largest_miss(std::span<const double> goal, std::uint64_t joint_mask) const {
  Miss miss;
  for (std::size_t i = 0; i < goal.size(); ++i) {
    if ((joint_mask >> i & 1) == 0) continue;
    const double distance = std::abs(state_.position[i] - goal[i]) - encoder_error_[i];
    if (distance > miss.distance) miss = {.joint = i, .distance = distance};
  }
  return miss;
}

std::string RobotView::held_words() const {
  return "held by the guard: " + too_near_sentence({.a = text_of(safety_.link_a),
                                                    .b = text_of(safety_.link_b),
                                                    .distance = safety_.distance,
                                                    .margin = safety_.margin});
}

}  // namespace sinew
