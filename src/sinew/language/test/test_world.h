// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>

#include "sinew/language/world.h"

namespace sinew::language {

/// An arm of six revolute joints with a tool, a table, a posture and a few inputs.
class TestWorld final : public ProgramWorld {
 public:
  std::size_t joint_count() const override { return 6; }
  bool is_revolute(std::size_t /*joint*/) const override { return true; }

  std::optional<std::vector<std::string>> names(NameKind kind) const override {
    switch (kind) {
      case NameKind::Tool:
        return std::vector<std::string>{"TCP", "torch"};
      case NameKind::Frame:
        return std::vector<std::string>{"table"};
      case NameKind::Point:
        return std::vector<std::string>{"home"};
      case NameKind::Input:
        return std::vector<std::string>{"part", "door", "touch", "3"};
      case NameKind::AnalogInput:
        return std::vector<std::string>{"pressure"};
      case NameKind::Output:
        return std::vector<std::string>{"lamp", "valve", "horn", "3"};
      case NameKind::Gripper:
        return std::vector<std::string>{"left"};
    }
    return {};
  }
  std::optional<Pose> tool(std::string_view name) const override {
    if (name == "TCP") return Pose{.position = {0, 0.1, 0}};
    if (name == "torch") return Pose{.position = {0, 0, 0.2}};
    return {};
  }
  std::optional<Pose> frame(std::string_view name) const override {
    if (name == "table") return Pose{.position = {0.5, 0, 0.1}};
    return {};
  }
  std::optional<std::variant<Pose, JointValues>> point(std::string_view name) const override {
    if (name == "home") return JointValues{{0, 0, 0, 0, 0.5, 0}};
    return {};
  }
  std::optional<bool> input(std::string_view name) const override {
    const auto found = inputs.find(std::string(name));
    return found != inputs.end() && found->second;
  }
  std::optional<double> analog_input(std::string_view name) const override {
    return name == "pressure" ? std::optional(2.5) : std::nullopt;
  }
  std::optional<Pose> flange_now() const override { return Pose{.position = {0.4, 0, 0.3}}; }
  std::optional<std::vector<double>> joints_now() const override { return std::vector<double>(6, 0.25); }

  std::optional<bool> holds() const override { return is_holding; }
  Result<Pose> object(std::string_view name) const override {
    if (name == "disc_3") return Pose{.position = {0.6, 0.1, 0.12}};
    return Error{ErrorCode::NotFound, "there is no object '" + std::string(name) + "'"};
  }

  std::map<std::string, bool> inputs;
  bool is_holding = false;
};

}  // namespace sinew::language
