// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/motion_settings.h"

#include <charconv>
#include <vector>

#include <fmt/format.h>

#include "sinew/base/text.h"

namespace sinew {
namespace {

Result<OnObstacle> on_obstacle_from(const std::string& word) {
  if (word == "stop") return OnObstacle::Stop;
  if (word == "slow") return OnObstacle::Slow;
  if (word == "replan") return OnObstacle::Replan;
  const std::vector<std::string> known{"stop", "slow", "replan"};
  return Error{ErrorCode::InvalidInput,
               fmt::format("robot.yaml, motion.on_obstacle: '{}' is none of stop, slow, replan{}", word,
                           did_you_mean(word, known))};
}

Result<double> payload_from(const std::string& word) {
  double mass = 0.0;
  const char* const end = word.data() + word.size();
  const auto [rest, error] = std::from_chars(word.data(), end, mass);
  if (error == std::errc() && rest == end && mass > 0.0 && mass <= 1e5) return mass;
  return Error{ErrorCode::InvalidInput,
               fmt::format("robot.yaml, motion.payload: '{}' is no mass in kg, more than zero", word)};
}

}  // namespace

Status read_motion(const std::map<std::string, std::string>& section, MotionSettings& settings) {
  const std::vector<std::string> known{"on_obstacle", "payload"};
  for (const auto& [key, value] : section) {
    if (key == "payload") {
      const auto payload = payload_from(value);
      if (!payload) return payload.error();
      settings.payload = *payload;
      continue;
    }
    if (key != "on_obstacle")
      return Error{ErrorCode::InvalidInput, fmt::format("robot.yaml, motion.{}: there is no such setting{}",
                                                        key, did_you_mean(key, known))};
    const auto on_obstacle = on_obstacle_from(value);
    if (!on_obstacle) return on_obstacle.error();
    settings.on_obstacle = *on_obstacle;
  }
  return Done{};
}

}  // namespace sinew
