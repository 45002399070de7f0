// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/program_robot.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/base/text.h"
#include "sinew/model/positions.h"

namespace sinew {
namespace {

// by name and by number, as programs may write them
std::vector<std::string> port_names(const std::vector<IoPort>& ports, std::optional<bool> is_analog) {
  std::vector<std::string> names;
  for (const IoPort& port : ports) {
    if (is_analog && port.is_analog != *is_analog) continue;
    names.push_back(port.name);
    names.push_back(std::to_string(port.number));
  }
  return names;
}

// what programs call the tip of whatever tool a robot has
constexpr std::string_view kToolTip = "TCP";

bool is_same_name(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, {}, [](unsigned char c) { return std::toupper(c); },
      [](unsigned char c) { return std::toupper(c); });
}

}  // namespace

ProgramRobot::ProgramRobot(const RobotModel& model, SerialChain chain)
    : model_(&model), chain_(std::move(chain)) {
  take_joints(starting_positions(model));
}

Result<ProgramRobot> ProgramRobot::make(const RobotModel& model, std::size_t base_link,
                                        std::size_t tip_link) {
  auto chain = SerialChain::make(model, base_link, tip_link);
  if (!chain) return chain.error();
  ProgramRobot robot(model, *std::move(chain));
  robot.collect_tools(base_link, tip_link);
  robot.collect_points();
  robot.X_RB_ = fixed_place(model, base_link);
  for (const BaseFrame& frame : frames_in(model, base_link)) robot.frames_[frame.name] = frame.X_BU;
  return robot;
}

Result<ProgramRobot> ProgramRobot::make(const RobotModel& model, std::string_view arm) {
  std::vector<std::string> names;
  for (const Arm& known : model.arms) names.push_back(known.name);
  if (names.empty())
    return Error{ErrorCode::NotFound,
                 fmt::format("robot '{}' has no arm; name one under arms: in its robot.yaml", model.name)};
  if (arm.empty() && names.size() > 1)
    return Error{ErrorCode::InvalidInput, fmt::format("robot '{}' has several arms; choose one: {}",
                                                      model.name, fmt::join(names, ", "))};
  const std::size_t found = arm.empty() ? 0 : find_arm(model, arm);
  if (found == kNone)
    return Error{ErrorCode::NotFound, fmt::format("robot '{}' has no arm '{}'{}; it has {}", model.name, arm,
                                                  did_you_mean(arm, names), fmt::join(names, ", "))};
  return make(model, model.arms[found].base_link, model.arms[found].tip_link);
}

void ProgramRobot::collect_tools(std::size_t base_link, std::size_t tip_link) {
  const std::vector<double> zero(chain_.size(), 0.0);
  for (const Arm& arm : model_->arms) {
    if (arm.base_link != base_link || arm.tip_link != tip_link) continue;
    for (const ToolFrame& tool : arm.tools) {
      const auto chain = SerialChain::make(*model_, base_link, tool.link, tool.X_LT);
      if (!chain || chain->size() != chain_.size()) continue;
      const Pose X_FT = inverse(chain_.tool_pose(zero)) * chain->tool_pose(zero);
      if (tools_.empty()) X_FT_ = X_FT;
      tools_[tool.name] = X_FT;
    }
  }
}

void ProgramRobot::collect_points() {
  for (const NamedPosture& posture : model_->postures) {
    std::vector<double> q;
    for (std::size_t i = 0; i < chain_.size(); ++i) q.push_back(posture.positions[chain_.position(i)]);
    // a posture of another part of the robot says nothing here
    if (std::ranges::none_of(q, [](double x) { return std::isnan(x); })) points_[posture.name] = q;
  }
}

void ProgramRobot::take_joints(std::span<const double> q_all) {
  q_all_.assign(q_all.begin(), q_all.end());
  q_.clear();
  for (std::size_t i = 0; i < chain_.size(); ++i) q_.push_back(q_all[chain_.position(i)]);
}

bool ProgramRobot::is_revolute(std::size_t joint) const {
  return joint >= chain_.size() || chain_.is_revolute(joint);
}

std::optional<std::vector<std::string>> ProgramRobot::names(language::NameKind kind) const {
  std::vector<std::string> names;
  switch (kind) {
    case language::NameKind::Tool:
      for (const auto& [name, pose] : tools_) names.push_back(name);
      if (!tools_.contains(kToolTip)) names.emplace_back(kToolTip);
      break;
    case language::NameKind::Frame:
      names.emplace_back("B");
      for (const auto& [name, pose] : frames_) names.push_back(name);
      break;
    case language::NameKind::Point:
      for (const auto& [name, q] : points_) names.push_back(name);
      break;
    case language::NameKind::Input:
      return port_names(model_->inputs, false);
    case language::NameKind::AnalogInput:
      return port_names(model_->inputs, true);
    case language::NameKind::Output:
      return port_names(model_->outputs, {});
    case language::NameKind::Gripper:
      for (const Gripper& gripper : model_->grippers) names.push_back(gripper.name);
      break;
  }
  return names;
}

std::optional<Pose> ProgramRobot::tool(std::string_view name) const {
  if (const auto found = tools_.find(name); found != tools_.end()) return found->second;
  const auto alike =
      std::ranges::find_if(tools_, [&](const auto& tool) { return is_same_name(tool.first, name); });
  if (alike != tools_.end()) return alike->second;
  return is_same_name(name, kToolTip) ? std::optional(X_FT_) : std::nullopt;
}

std::optional<Pose> ProgramRobot::frame(std::string_view name) const {
  const auto found = frames_.find(name);
  return found == frames_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::variant<Pose, language::JointValues>> ProgramRobot::point(std::string_view name) const {
  const auto found = points_.find(name);
  if (found == points_.end()) return {};
  return language::JointValues{found->second};
}

std::optional<bool> ProgramRobot::input(std::string_view name) const {
  const IoPort* port = find_port(model_->inputs, name, false);
  if (port == nullptr || (io_.input_mask >> port->number & 1) == 0) return {};
  return (io_.inputs >> port->number & 1) != 0;
}

std::optional<double> ProgramRobot::analog_input(std::string_view name) const {
  const IoPort* port = find_port(model_->inputs, name, true);
  if (port == nullptr || (io_.analog_input_mask >> port->number & 1) == 0) return {};
  return io_.analog_inputs[port->number];
}

Result<Pose> ProgramRobot::object(std::string_view name) const {
  if (!finder_)
    return Error{ErrorCode::NotFound,
                 fmt::format("nobody tells where '{}' is: nothing sees the objects of the cell", name)};
  if (!X_RB_)
    return Error{ErrorCode::NotFound,
                 fmt::format("WHERE '{}' is cannot be said for an arm whose base is moved by joints", name)};
  const auto X_RO = finder_(name);
  if (!X_RO) return X_RO.error();
  return inverse(*X_RB_) * *X_RO;
}

}  // namespace sinew
