// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/program_device.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/base/text.h"
#include "sinew/model/positions.h"
#include "sinew/motion/straight_way.h"

namespace sinew {
namespace {

std::string known_words(const std::vector<std::string>& names) {
  return names.empty() ? "robot.yaml names none" : fmt::format("known: {}", fmt::join(names, ", "));
}

IoCommand digital(const IoPort& port, bool is_on) {
  const std::uint64_t bit = std::uint64_t{1} << port.number;
  return {.output_mask = bit, .outputs = is_on ? bit : 0};
}

Result<const Gripper*> find_gripper(const RobotModel& model, const std::string& name) {
  if (name.empty() && model.grippers.size() == 1) return &model.grippers.front();
  std::vector<std::string> names;
  for (const Gripper& gripper : model.grippers) {
    if (gripper.name == name) return &gripper;
    names.push_back(gripper.name);
  }
  if (name.empty())
    return Error{ErrorCode::InvalidInput,
                 fmt::format("which GRIPPER is meant must be said; {}", known_words(names))};
  return Error{ErrorCode::NotFound, fmt::format("there is no gripper {{{}}}{}; {}", name,
                                                did_you_mean(name, names), known_words(names))};
}

Status check(const Gripper& gripper, const language::GripperAction& action, const RobotModel& model) {
  if (action.force && *action.force > gripper.force)
    return Error{ErrorCode::OutOfLimits,
                 fmt::format("gripper {{{}}} has at most {:g} N, and {:g} N are asked for", gripper.name,
                             gripper.force, *action.force)};
  const bool has_width = action.kind == language::GripperKind::Width;
  if (has_width && gripper.joints.empty())
    return Error{ErrorCode::InvalidInput,
                 fmt::format("gripper {{{}}} hangs on an output: it opens and closes, and has no width",
                             gripper.name)};
  if (has_width && action.width > gripper.open_width + 1e-9)
    return Error{ErrorCode::OutOfLimits,
                 fmt::format("gripper {{{}}} opens to {}, and {} are asked for", gripper.name,
                             length_text(gripper.open_width), length_text(action.width))};
  for (const GripperJoint& moved : gripper.joints) {
    const Joint& joint = model.joints[model.positions[moved.position]];
    if (!joint.is_enabled)
      return Error{ErrorCode::InvalidInput,
                   fmt::format("gripper {{{}}} needs joint '{}', which is not in use; see 'enabled' in "
                               "robot.yaml",
                               gripper.name, joint.name)};
  }
  return Done{};
}

double width_of(const Gripper& gripper, const language::GripperAction& action) {
  switch (action.kind) {
    case language::GripperKind::Open:
      return gripper.open_width;
    case language::GripperKind::Close:
      return gripper.closed_width;
    case language::GripperKind::Width:
      break;
  }
  return action.width;
}

// the share of the joints' limits at which the width changes no faster than asked for
double speed_share(const RobotModel& model, const Gripper& gripper, const language::GripperAction& action) {
  const double speed = std::min(gripper.speed, action.speed.value_or(gripper.speed));
  constexpr double kLeastShare = 1e-3;
  double share = 1.0;
  for (const GripperJoint& joint : gripper.joints) {
    const double way = std::abs(joint.open - joint.closed);
    const double limit = model.joints[model.positions[joint.position]].limits.velocity;
    if (!(way > 0.0) || !std::isfinite(limit) || !std::isfinite(speed)) continue;
    share = std::min(share, speed * way / (gripper.open_width - gripper.closed_width) / limit);
  }
  return std::max(share, kLeastShare);
}

}  // namespace

Result<IoCommand> command_of(const RobotModel& model, const language::OutputAction& action) {
  const double* number = std::get_if<double>(&action.value);
  if (number != nullptr && !std::isfinite(*number))
    return Error{ErrorCode::InvalidInput, fmt::format("output {{{}}} cannot be {}", action.output, *number)};
  const IoPort* analog = find_port(model.outputs, action.output, true);
  if (number != nullptr && analog != nullptr) {
    IoCommand command{.analog_output_mask = 1U << analog->number};
    command.analog_outputs[analog->number] = *number;
    return command;
  }
  const IoPort* port = find_port(model.outputs, action.output, false);
  if (port != nullptr)
    return digital(*port, number != nullptr ? *number != 0.0 : std::get<bool>(action.value));
  if (analog != nullptr)
    return Error{ErrorCode::InvalidInput,
                 fmt::format("output {{{0}}} is analog and takes a number: SET {{{0}}} = 5", action.output)};
  std::vector<std::string> names;
  for (const IoPort& known : model.outputs) names.push_back(known.name);
  return Error{ErrorCode::NotFound, fmt::format("there is no output {{{}}}{}; {}", action.output,
                                                did_you_mean(action.output, names), known_words(names))};
}

void add_to(IoCommand& command, const IoCommand& next) {
  command.outputs = (command.outputs & ~next.output_mask) | (next.outputs & next.output_mask);
  command.output_mask |= next.output_mask;
  for (std::size_t i = 0; i < kMaxAnalog; ++i)
    if ((next.analog_output_mask >> i & 1) != 0) command.analog_outputs[i] = next.analog_outputs[i];
  command.analog_output_mask |= next.analog_output_mask;
}

Result<GripperOrder> gripper_order(const RobotModel& model, const language::GripperAction& action,
                                   std::span<const double> q_all) {
  const auto found = find_gripper(model, action.gripper);
  if (!found) return found.error();
  const Gripper& gripper = **found;
  if (const Status checked = check(gripper, action, model); !checked) return checked.error();
  GripperOrder order{.goal = std::vector<double>(q_all.begin(), q_all.end())};
  if (gripper.joints.empty()) {
    order.io = digital(model.outputs[gripper.output], action.kind == language::GripperKind::Close);
    order.time = gripper.time;
    return order;
  }
  for (const GripperJoint& joint : gripper.joints) {
    order.joint_mask |= std::uint64_t{1} << joint.position;
    order.goal[joint.position] = gripper_position(gripper, joint, width_of(gripper, action));
  }
  order.trajectory = Trajectory(static_cast<std::size_t>(std::popcount(order.joint_mask)));
  append_straight_way(model,
                      {.from = q_all,
                       .to = order.goal,
                       .joint_mask = order.joint_mask,
                       .speed = speed_share(model, gripper, action)},
                      order.trajectory);
  return order;
}

}  // namespace sinew
