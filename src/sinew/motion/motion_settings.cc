// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/motion_settings.h"

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

}  // namespace

Status read_motion(const std::map<std::string, std::string>& section, MotionSettings& settings) {
  const std::vector<std::string> known{"on_obstacle"};
  for (const auto& [key, value] : section) {
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
