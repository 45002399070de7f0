// SPDX-License-Identifier: BSD-3-Clause
#include "apps/web/control_bridge.h"

#include <utility>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"

namespace sinew {
namespace {

constexpr std::string_view kPage = "web:";
/// So long the motion service may still tell of who had control before.
constexpr std::int64_t kSettling_ns = 500 * kMillisecond_ns;

}  // namespace

std::string ControlBridge::name_of(std::string_view user) {
  return fmt::format("{}{}", kPage, user).substr(0, sizeof(Request::who) - 1);
}

std::string ControlBridge::other_owner() {
  const auto found = robot_.robot();
  const auto motion = found ? (*found)->link.motion_state() : std::nullopt;
  if (!motion) return {};
  const std::string owner(text_of(motion->owner));
  return owner.starts_with(kPage) ? "" : owner;
}

// A process before this one has died with control: nobody could give it back.
void ControlBridge::leave_for_the_dead(std::int64_t now_ns) {
  const auto found = robot_.robot();
  const auto motion = found ? (*found)->link.motion_state() : std::nullopt;
  if (!motion) return;
  has_looked_ = true;
  const std::string owner(text_of(motion->owner));
  if (owner.starts_with(kPage))
    static_cast<void>(
        robot_.ask({.verb = RequestVerb::LeaveControl}, owner, now_ns, [](const Reply&, double) {}));
}

void ControlBridge::look(std::int64_t now_ns) {
  if (!has_looked_) leave_for_the_dead(now_ns);
  if (std::exchange(seen_changes_, desk().changes()) != desk().changes()) {
    const bool is_held = desk().who().has_value();
    if (!name_.empty() && (!is_held || name_of(desk().who()->user) != name_)) leave(now_ns);
    if (is_held) take(now_ns);
    tell_(is_held ? fmt::format("{} controls the robot", desk().who()->user) : "nobody controls the robot");
  }
  if (!name_.empty() && asked_ == 0 && now_ns - settled_ns_ > kSettling_ns) compare(now_ns);
}

void ControlBridge::take(std::int64_t now_ns) {
  name_ = name_of(desk().who()->user);
  settled_ns_ = now_ns;
  const auto number =
      robot_.ask({.verb = RequestVerb::TakeControl}, name_, now_ns, [this](const Reply& reply, double) {
        if (reply.request == asked_) asked_ = 0;
      });
  // who is not there yet is asked again by compare()
  asked_ = number ? *number : 0;
}

void ControlBridge::leave(std::int64_t now_ns) {
  static_cast<void>(
      robot_.ask({.verb = RequestVerb::LeaveControl}, name_, now_ns, [](const Reply&, double) {}));
  name_.clear();
  asked_ = 0;
}

void ControlBridge::compare(std::int64_t now_ns) {
  const auto found = robot_.robot();
  const auto motion = found ? (*found)->link.motion_state() : std::nullopt;
  if (!motion || text_of(motion->owner) == name_) return;
  // a motion service that was started anew has forgotten us
  if (text_of(motion->owner).empty()) return take(now_ns);
  const std::string taker(text_of(motion->owner));
  name_.clear();
  if (desk().who()) accounts_.take_control_away();
  seen_changes_ = desk().changes();
  tell_(fmt::format("'{}' has taken control", taker));
}

}  // namespace sinew
