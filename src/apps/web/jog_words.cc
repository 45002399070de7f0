// SPDX-License-Identifier: BSD-3-Clause
#include "apps/web/jog_words.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sinew/base/fixed_string.h"
#include "sinew/base/text.h"

#include "apps/web/api_call.h"

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kMostRate = 100.0;  // [rad/s, m/s]; the robot's own limits are far below

Result<JogFrame> jog_frame_from(const Json& words) {
  constexpr std::array<std::string_view, 4> kFrames{"joints", "base", "tool", "user"};
  const auto text = text_at(words, "frame", "joints");
  if (!text) return text.error();
  const auto found = std::ranges::find(kFrames, *text);
  if (found != kFrames.end()) return static_cast<JogFrame>(found - kFrames.begin());
  return Error{ErrorCode::InvalidInput,
               fmt::format("there is no frame '{}': joints, base, tool or user", *text)};
}

Status take_three(const Json& words, const std::string& key, std::array<double, 3>& three) {
  if (!words.contains(key)) return Done{};
  const auto numbers = numbers_at(words, key, 3);
  if (!numbers) return numbers.error();
  std::ranges::copy(*numbers, three.begin());
  return Done{};
}

}  // namespace

bool is_jog_stop(const Json& words) {
  const auto found = words.find("stop");
  return found != words.end() && !found->is_null() && *found != false;
}

Result<JogWish> jog_wish_from(const Json& words, const RobotModel& model) {
  JogWish wish;
  if (is_jog_stop(words)) return wish;
  const auto frame = jog_frame_from(words);
  if (!frame) return frame.error();
  wish.frame = *frame;
  const auto is_step = truth_at(words, "step", false);
  if (!is_step) return is_step.error();
  wish.is_step = *is_step ? 1 : 0;
  const auto speed = number_at(words, "speed", 0.001, 1.0, 1.0);
  if (!speed) return speed.error();
  wish.speed = *speed;
  for (const Status& taken :
       {take_name(words, "arm", wish.arm), take_name(words, "tool", wish.tool),
        take_three(words, "linear", wish.linear), take_three(words, "angular", wish.angular),
        take_three(words, "frame_rpy", wish.frame_rpy)})
    if (!taken) return taken.error();
  if (wish.frame == JogFrame::Joints) {
    const auto joints = joints_at(words, "joints", model, kMostRate);
    if (!joints) return joints.error();
    for (const auto& [position, rate] : *joints) {
      wish.joint_mask |= std::uint64_t{1} << position;
      wish.joint_velocity[position] = rate;
    }
  }
  return wish;
}

}  // namespace sinew
