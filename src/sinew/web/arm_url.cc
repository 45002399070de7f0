// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/web/arm_url.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <string>

#include <fmt/format.h>

#include "sinew/web/shown_text.h"

namespace sinew::web {
namespace {

constexpr std::size_t kLongestUrl = 256;
constexpr double kFurthest = 10.0;                      // [m]
constexpr double kMostTurned = 8.0 * std::numbers::pi;  // [rad]
constexpr double kWidest = 1.0;                         // [m]
constexpr double kLongest = 600.0;                      // [s]

struct Part {
  std::string_view name;
  double ArmTarget::*field;
  double lowest;
  double highest;
  std::string_view unit;
};

constexpr std::array<Part, 7> kParts{{
    {"x", &ArmTarget::x, -kFurthest, kFurthest, "m"},
    {"y", &ArmTarget::y, -kFurthest, kFurthest, "m"},
    {"z", &ArmTarget::z, -kFurthest, kFurthest, "m"},
    {"roll", &ArmTarget::roll, -kMostTurned, kMostTurned, "rad"},
    {"pitch", &ArmTarget::pitch, -kMostTurned, kMostTurned, "rad"},
    {"handWidth", &ArmTarget::hand_width, 0.0, kWidest, "m"},
    {"time", &ArmTarget::time, 0.0, kLongest, "s"},
}};

Error refuse(std::string why) {
  return {ErrorCode::InvalidInput,
          std::move(why) +
              "; the form is /x/y/z/roll/pitch/handWidth/time in m, rad and s, as in "
              "/0.336/0.0/0.2/0.0/1.57079633/0.065/0"};
}

Status read_part(const Part& part, std::string_view text, ArmTarget& target) {
  std::string_view digits = text;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  double number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  // written so that NaN is refused
  const bool is_number = (digits.size() == text.size() || !digits.starts_with('-')) && error == std::errc() &&
                         end == digits.data() + digits.size() && std::isfinite(number);
  if (!is_number) return refuse(fmt::format("{} '{}' is no finite number", part.name, shown_text(text)));
  if (!(number >= part.lowest && number <= part.highest))
    return refuse(fmt::format("{} {} is not within {:.5g} to {:.5g} {}", part.name, shown_text(text),
                              part.lowest, part.highest, part.unit));
  target.*part.field = number;
  return Done{};
}

}  // namespace

bool is_arm_url(std::string_view target) {
  if (target.size() < 2 || target.front() != '/') return false;
  // wrong ones of this form are told what is wrong, rather than that there is no such page
  const std::size_t first = target[1] == '.' ? 2 : 1;
  const std::string_view letters = first == 2 ? "0123456789" : "+-0123456789";
  const bool is_number = first < target.size() && letters.find(target[first]) != std::string_view::npos;
  return is_number || std::ranges::count(target, '/') == static_cast<std::ptrdiff_t>(kParts.size());
}

Result<ArmTarget> arm_target_from(std::string_view target) {
  if (target.size() > kLongestUrl)
    return refuse(fmt::format("a URL of {} letters is longer than {}", target.size(), kLongestUrl));
  const auto count = static_cast<std::size_t>(std::ranges::count(target, '/'));
  if (!target.starts_with('/') || count != kParts.size())
    return refuse(fmt::format("'{}' has {} parts, not {}", shown_text(target), count, kParts.size()));
  ArmTarget wanted;
  std::string_view rest = target;
  for (const Part& part : kParts) {
    rest.remove_prefix(1);
    const std::string_view text = rest.substr(0, rest.find('/'));
    if (const Status read = read_part(part, text, wanted); !read) return read.error();
    rest.remove_prefix(text.size());
  }
  return wanted;
}

}  // namespace sinew::web
