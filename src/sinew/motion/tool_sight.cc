// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/tool_sight.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "sinew/base/text.h"

namespace sinew {
namespace {

constexpr double kLookPeriod = 5e-3;  // [s]
constexpr double kLeastLooks = 100.0;
constexpr double kMostLooks = 2000.0;
constexpr double kAsked = 0.97;  // of the speed asked for: fast enough
constexpr double kFull = 0.98;   // of a joint's velocity limit: it binds
constexpr double kSlow = 0.5;    // of the highest speed, where none was asked for
constexpr double kAlmostSingular = 0.05;

enum class Binding { Speed, Acceleration, Jerk };

const char* binding_text(Binding binding) {
  switch (binding) {
    case Binding::Speed:
      return "speed";
    case Binding::Acceleration:
      return "acceleration";
    case Binding::Jerk:
      return "jerk";
  }
  return "limit";
}

struct Look {
  double speed = 0.0;
  double load = 0.0;  // of the busiest joint, as a share of its limit
  std::size_t joint = 0;
  Binding binding = Binding::Speed;
  double singular = 0.0;
  Vector3 position = Vector3::Zero();
};

Look look_at(const ToolSightTask& task, double time) {
  Look look;
  const std::size_t joints = task.chain.size();
  std::array<double, kMaxChainJoints> q{};
  JointVector speed(static_cast<Eigen::Index>(joints));
  for (std::size_t j = 0; j < joints; ++j) {
    const CurvePoint point = task.trajectory.at(j, time);
    q[j] = point.value;
    speed[static_cast<Eigen::Index>(j)] = point.first;
    const AxisLimits& limits = task.limits[j];
    const auto note = [&](double value, double limit, Binding binding) {
      if (std::abs(value) <= look.load * limit) return;
      look.load = std::abs(value) / limit;
      look.joint = j;
      look.binding = binding;
    };
    note(point.first, limits.velocity, Binding::Speed);
    note(point.second, limits.acceleration, Binding::Acceleration);
    note(point.third, limits.jerk, Binding::Jerk);
  }
  Jacobian jacobian;
  look.position = task.chain.tool_pose({q.data(), joints}, jacobian).position;
  look.speed = (jacobian.topRows<3>() * speed).norm();
  look.singular = dexterity(jacobian).smallest_singular_value;
  return look;
}

std::string why_text(const Look& at, std::span<const std::string> names) {
  return fmt::format("joint '{}' is at {:.0f} % of its {}{}", names[at.joint], 100.0 * at.load,
                     binding_text(at.binding),
                     at.singular < kAlmostSingular ? ", near a singularity of the arm" : "");
}

// Of the looks about the slowest that are as slow as `fast` forbids, the one at which a joint is busiest.
const Look& why_slow(const std::vector<Look>& looks, const Look& slowest, double fast) {
  const Look* busiest = &slowest;
  const auto consider = [&](const Look& look) {
    if (look.load > busiest->load) busiest = &look;
    return look.speed < fast;
  };
  for (const Look* look = &slowest; look < looks.data() + looks.size() && consider(*look);) ++look;
  for (const Look* look = &slowest; look > looks.data() && consider(*look);) --look;
  return *busiest;
}

// Where the tool is slowest between speeding up and slowing down to `fast`; null: nowhere.
const Look* slowest_between(const ToolSightTask& task, const std::vector<Look>& looks, double fast) {
  const auto is_fast = [&](const Look& look) { return look.speed >= fast; };
  auto first = std::ranges::find_if(looks, is_fast);
  auto last = std::find_if(looks.rbegin(), looks.rend(), is_fast).base();
  if (first >= last) return nullptr;
  if (!task.speeds_up_first) first = looks.begin();
  if (!task.slows_down_last) last = looks.end();
  return &*std::ranges::min_element(first, last, {}, &Look::speed);
}

std::optional<std::string> below_asked(const ToolSightTask& task, const std::vector<Look>& looks) {
  const double asked = *task.asked_speed;
  const Look* slowest = slowest_between(task, looks, kAsked * asked);
  const Look* why = nullptr;
  if (slowest != nullptr) {
    why = &why_slow(looks, *slowest, kAsked * asked);
  } else {
    // never that fast: too short a way needs no words, a joint does
    slowest = why = &*std::ranges::max_element(looks, {}, &Look::speed);
    if (why->binding != Binding::Speed || why->load < kFull) return std::nullopt;
  }
  if (slowest->speed >= kAsked * asked) return std::nullopt;
  return fmt::format("the tool has {}/s instead of {}/s at {}, because {}", length_text(slowest->speed),
                     length_text(asked), place_text(slowest->position), why_text(*why, task.names));
}

std::optional<std::string> below_fastest(const ToolSightTask& task, const std::vector<Look>& looks) {
  const double fastest = std::ranges::max_element(looks, {}, &Look::speed)->speed;
  const Look* slowest = slowest_between(task, looks, 0.8 * fastest);
  if (slowest == nullptr || slowest->speed > kSlow * fastest) return std::nullopt;
  return fmt::format("the tool slows down from {}/s to {}/s at {}, because {}", length_text(fastest),
                     length_text(slowest->speed), place_text(slowest->position),
                     why_text(*slowest, task.names));
}

}  // namespace

std::string place_text(const Vector3& p) {
  return fmt::format("x {} y {} z {}", length_text(p.x()), length_text(p.y()), length_text(p.z()));
}

ToolSight look_at_tool(const ToolSightTask& task) {
  ToolSight sight;
  const double time = task.end - task.begin;
  const auto count = static_cast<int>(std::clamp(time / kLookPeriod, kLeastLooks, kMostLooks));
  std::vector<Look> looks;
  looks.reserve(static_cast<std::size_t>(count) + 1);
  for (int k = 0; k <= count; ++k) {
    looks.push_back(look_at(task, task.begin + time * k / count));
    sight.dexterity = std::min(sight.dexterity, looks.back().singular);
  }
  sight.slow = task.asked_speed ? below_asked(task, looks) : below_fastest(task, looks);
  return sight;
}

}  // namespace sinew
