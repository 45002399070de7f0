// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/language/value.h"

namespace sinew::language {

/// What kinds of names a program takes from outside.
enum class NameKind { Tool, Frame, Point, Input, AnalogInput, Output, Gripper };

/// What a program sees of the robot and the cell around it. Given by whoever checks or runs a program; asked
/// by the interpreter's thread only. Inputs and outputs that have numbers go by their digits: "3".
class ProgramWorld {
 public:
  virtual ~ProgramWorld() = default;

  /// How many joints the arm has; zero when that is not known, and then every count is taken.
  virtual std::size_t joint_count() const = 0;
  /// False for a joint that slides.
  virtual bool is_revolute(std::size_t joint) const = 0;

  /// The names of a kind; nothing when they are not known, and then every name is taken.
  virtual std::optional<std::vector<std::string>> names(NameKind kind) const = 0;

  /// X_FT of a tool T at the flange F, X_BU of a frame U in the base B, and a point; nothing when there is
  /// none of that name.
  virtual std::optional<Pose> tool(std::string_view name) const = 0;
  virtual std::optional<Pose> frame(std::string_view name) const = 0;
  virtual std::optional<std::variant<Pose, JointValues>> point(std::string_view name) const = 0;

  /// What an input says now; nothing when it cannot be read.
  virtual std::optional<bool> input(std::string_view name) const = 0;
  virtual std::optional<double> analog_input(std::string_view name) const = 0;

  /// X_BF of the flange now, and the joints [rad, m]; nothing when that is not known.
  virtual std::optional<Pose> flange_now() const = 0;
  virtual std::optional<std::vector<double>> joints_now() const = 0;

  /// Whether a gripper has stopped at something between its fingers; nothing when that is not known.
  virtual std::optional<bool> holds() const = 0;

  /// X_BO of a thing of the cell as it is seen now, by its name; refused in words when it is not seen.
  virtual Result<Pose> object(std::string_view name) const = 0;
};

/// A world without a robot: every name is taken, frames and tools are where they are attached, inputs are
/// off. For checking what does not depend on a robot.
class OpenWorld final : public ProgramWorld {
 public:
  std::size_t joint_count() const override { return 0; }
  bool is_revolute(std::size_t /*joint*/) const override { return true; }
  std::optional<std::vector<std::string>> names(NameKind /*kind*/) const override { return {}; }
  std::optional<Pose> tool(std::string_view /*name*/) const override { return Pose{}; }
  std::optional<Pose> frame(std::string_view /*name*/) const override { return Pose{}; }
  std::optional<std::variant<Pose, JointValues>> point(std::string_view /*name*/) const override {
    return Pose{};
  }
  std::optional<bool> input(std::string_view /*name*/) const override { return false; }
  std::optional<double> analog_input(std::string_view /*name*/) const override { return 0.0; }
  std::optional<Pose> flange_now() const override { return Pose{}; }
  std::optional<std::vector<double>> joints_now() const override { return std::vector<double>(6, 0.0); }
  std::optional<bool> holds() const override { return true; }
  Result<Pose> object(std::string_view /*name*/) const override { return Pose{}; }
};

/// A frame name that every robot knows: {B}, {b}, {base}, …
bool is_base_name(std::string_view name);
/// {T}, {t}, {tool}: the axes of the tool itself.
bool is_tool_name(std::string_view name);
/// {U}, {u}, {user}: the frame that FRAME chose.
bool is_user_name(std::string_view name);
/// {F}, {flange}: no tool.
bool is_flange_name(std::string_view name);

}  // namespace sinew::language
