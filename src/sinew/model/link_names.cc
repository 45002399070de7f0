// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/model/link_names.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace sinew {
namespace {

template <std::size_t N>
bool has_any(const std::string& name, const std::array<std::string_view, N>& parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view part) { return name.find(part) != std::string::npos; });
}

bool is_letter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

bool has_word(std::string_view name, std::string_view word) {
  const std::string lower = lower_case(name);
  for (std::size_t at = lower.find(word); at != std::string::npos; at = lower.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_letter(lower[at - 1])) && (end == lower.size() || !is_letter(lower[end])))
      return true;
  }
  return false;
}

std::size_t flange_rank(std::string_view link) {
  constexpr std::array<std::string_view, 13> kParts{
      "tool0",  "tcp",   "tool_frame", "end_effector", "endeffector", "eef", "tool",
      "flange", "grasp", "grip",       "palm",         "hand",        "tip"};
  constexpr std::size_t kBeforeTool = 6;
  if (is_name_of_extra(link)) return kNoRank;
  const std::string lower = lower_case(link);
  for (std::size_t i = 0; i < kParts.size(); ++i) {
    // "ee" is too short to be looked for within a word
    if (i == kBeforeTool && has_word(lower, "ee")) return i;
    if (lower.find(kParts[i]) != std::string::npos) return i + (i < kBeforeTool ? 0 : 1);
  }
  return kNoRank;
}

bool is_name_of_finger(std::string_view name) {
  constexpr std::array<std::string_view, 8> kParts{"finger",  "thumb", "pinky", "jaw",
                                                   "knuckle", "claw",  "fngr",  "gripper"};
  return has_any(lower_case(name), kParts);
}

bool is_name_of_extra(std::string_view name) {
  constexpr std::array<std::string_view, 12> kParts{"camera",    "light",  "laser",   "optical",
                                                    "lidar",     "sensor", "marker",  "cable",
                                                    "collision", "visual", "inertia", "cover"};
  constexpr std::array<std::string_view, 6> kWords{"led", "leds", "sc", "imu", "ft", "cam"};
  return has_any(lower_case(name), kParts) ||
         std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view word) { return has_word(name, word); });
}

}  // namespace sinew
