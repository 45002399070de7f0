// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/control/settings.h"

#include <charconv>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sinew/base/text.h"

namespace sinew {
namespace {

struct Range {
  double lowest = 0.0;
  double highest = 0.0;
};

/// A number of the section, and where it goes.
struct NumberKey {
  std::string_view name;
  Range range;
  void (*set)(RobotControl& control, double value);
};

const NumberKey kNumbers[] = {
    {"rate", {1.0, 10'000.0}, [](RobotControl& c, double v) { c.cycle.period_ns = std::llround(1e9 / v); }},
    {"margin", {0.0, 1.0}, [](RobotControl& c, double v) { c.margin = v; }},
    {"tracking_allowance", {0.0, 1.0}, [](RobotControl& c, double v) { c.tracking_allowance = v; }},
    {"time_constant", {1e-3, 1e3}, [](RobotControl& c, double v) { c.cycle.time_constant = v; }},
    {"stiffness", {0.0, 1.0}, [](RobotControl& c, double v) { c.cycle.stiffness = v; }},
    {"tracking_limit", {1e-4, 1e3}, [](RobotControl& c, double v) { c.cycle.tracking_limit = v; }},
    {"stale_ms",
     {5.0, 10'000.0},
     [](RobotControl& c, double v) { c.cycle.stale_ns = std::llround(v * 1e6); }},
    {"queue_ms", {0.0, 1000.0}, [](RobotControl& c, double v) { c.cycle.queue_ns = std::llround(v * 1e6); }},
    {"early_wake", {0.0, 0.5}, [](RobotControl& c, double v) { c.early_wake_ns = std::llround(v * 1e9); }},
};

constexpr std::string_view kPriority = "priorities.";
constexpr Range kPriorities{-1000.0, 1000.0};

Result<double> number_in(const std::string& key, const std::string& text, Range range) {
  double value = 0.0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = failure == std::errc() && end == text.data() + text.size();
  // the comparison is false for NaN
  if (is_number && value >= range.lowest && value <= range.highest) return value;
  return Error{ErrorCode::InvalidInput, fmt::format("robot.yaml, control.{}: '{}' is no number from {} to {}",
                                                    key, text, range.lowest, range.highest)};
}

std::string nearest_key(std::string_view key) {
  std::vector<std::string> names{"priorities"};
  for (const NumberKey& number : kNumbers) names.emplace_back(number.name);
  return did_you_mean(key, names);
}

}  // namespace

RobotShapesOptions guard_options(const RobotControl& control, MeshPoints mesh_points) {
  return {.mesh_points = std::move(mesh_points), .margin = control.margin + control.tracking_allowance};
}

Result<RobotControl> read_control(const std::map<std::string, std::string>& settings) {
  RobotControl control;
  for (const auto& [key, text] : settings) {
    if (key.starts_with(kPriority)) {
      const auto priority = number_in(key, text, kPriorities);
      if (!priority) return priority.error();
      control.priorities[key.substr(kPriority.size())] = static_cast<int>(*priority);
      continue;
    }
    const auto* const number =
        std::ranges::find(kNumbers, std::string_view(key), [](const NumberKey& n) { return n.name; });
    if (number == std::end(kNumbers))
      return Error{ErrorCode::InvalidInput,
                   fmt::format("robot.yaml, control: there is no key '{}'{}", key, nearest_key(key))};
    const auto value = number_in(key, text, number->range);
    if (!value) return value.error();
    number->set(control, *value);
  }
  if (2 * control.early_wake_ns > control.cycle.period_ns)
    return Error{
        ErrorCode::InvalidInput,
        fmt::format("robot.yaml, control.early_wake: {:g} s is more than half the period, which is {:g} s",
                    1e-9 * static_cast<double>(control.early_wake_ns),
                    1e-9 * static_cast<double>(control.cycle.period_ns))};
  return control;
}

}  // namespace sinew
