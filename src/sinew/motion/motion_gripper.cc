// SPDX-License-Identifier: BSD-3-Clause
// Grippers: fingers close until they hold something, and whoever asked is told at once.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/text.h"
#include "sinew/motion/motion_service.h"
#include "sinew/motion/program_device.h"

namespace sinew {
namespace {

constexpr double kStill = 2e-4;  // [rad, m] what a finger at rest may be measured to move
constexpr std::int64_t kStillFor_ns = 40 * kMillisecond_ns;

language::GripperAction action_of(const Request& request) {
  return {.gripper = std::string(text_of(request.text)),
          .kind = language::GripperKind::Width,
          .width = request.position[0]};
}

}  // namespace

Status MotionService::check_gripper(Motion& motion) const {
  const double width = motion.request.position[0];
  if (!(std::isfinite(width) && width >= 0.0))
    return Error{ErrorCode::InvalidInput,
                 fmt::format("a gripper cannot be {} m wide: give position[0] from 0 to its width", width)};
  const auto order = gripper_order(model_, action_of(motion.request), robot_.sent());
  if (!order) return order.error();
  motion.joint_mask = order->joint_mask;
  motion.may_fall_short = true;
  const std::string_view name = text_of(motion.request.text);
  for (const Gripper& gripper : model_.grippers)
    if (name.empty() || gripper.name == name) motion.gripper = &gripper;
  return Done{};
}

bool MotionService::plan_gripper(Motion& motion, std::int64_t now_ns) {
  auto order = gripper_order(model_, action_of(motion.request), robot_.sent());
  if (!order) {
    refuse(motion, order.error().message, now_ns);
    return false;
  }
  motion.stops = {std::move(order->goal)};
  order->trajectory.stretch(1.0 / motion.request.speed);
  if (const Status fits = fit_timing(motion.request, nullptr, motion.joint_mask, order->trajectory); !fits) {
    refuse(motion, fits.error().message, now_ns);
    return false;
  }
  set_way(motion, std::move(order->trajectory), now_ns);
  return true;
}

// Whether a finger is behind where it was sent on its way to its goal. One that presses on something and is
// sent away from it is before: it moves once the press is undone.
bool MotionService::is_behind(const Motion& motion) const {
  for (std::size_t i = 0; i < model_.positions.size(); ++i) {
    if ((motion.joint_mask >> i & 1) == 0) continue;
    const double left = motion.stops.back()[i] - robot_.measured()[i];
    const double behind = robot_.sent()[i] - robot_.measured()[i];
    if (left * behind > 0.0 && std::abs(behind) > settings_.tolerance) return true;
  }
  return false;
}

// Whether its fingers are behind and have not moved for a while.
bool MotionService::has_stopped_short(Motion& motion, std::int64_t now_ns) const {
  if (!motion.may_fall_short) return false;
  const auto measured = robot_.measured();
  HoldWatch& hold = motion.hold;
  const bool is_first = hold.positions.empty();
  const bool moves = !is_first && robot_.largest_miss(hold.positions, motion.joint_mask).distance > kStill;
  if (is_first || moves || !is_behind(motion)) {
    hold.positions.assign(measured.begin(), measured.end());
    hold.since_ns = now_ns;
  }
  return now_ns - hold.since_ns >= kStillFor_ns;
}

bool MotionService::holds_something() const {
  std::uint64_t fingers = 0;
  for (const Gripper& gripper : model_.grippers)
    for (const GripperJoint& joint : gripper.joints) fingers |= std::uint64_t{1} << joint.position;
  return robot_.largest_miss(robot_.sent(), fingers).distance > settings_.tolerance;
}

std::string MotionService::hold_words(const Motion& motion) const {
  if (motion.gripper == nullptr) return "holds something";
  const GripperJoint& joint = motion.gripper->joints.front();
  const double width = gripper_width(*motion.gripper, joint, robot_.measured()[joint.position]);
  return fmt::format("holds something {} wide", length_text(width));
}

void MotionService::add_width(const Motion& motion, Reply& reply) const {
  const GripperJoint& joint = motion.gripper->joints.front();
  const double width = gripper_width(*motion.gripper, joint, robot_.measured()[joint.position]);
  reply.position_error = std::abs(width - motion.request.position[0]);
}

}  // namespace sinew
