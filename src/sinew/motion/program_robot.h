// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "sinew/base/result.h"
#include "sinew/kinematics/serial_chain.h"
#include "sinew/language/world.h"
#include "sinew/messages/io.h"
#include "sinew/model/robot_model.h"

namespace sinew {

/// X_RO of an object by its name, R the root link of the robot; refused in words when it is not seen.
using ObjectFinder = std::function<Result<Pose>(std::string_view name)>;

/// An arm as programs see it: what robot.yaml names (tools, frames, postures as points, inputs, outputs,
/// grippers), and where the joints and inputs are, as somebody says. At first the joints are at home, or
/// mid-range, and all inputs are off.
class ProgramRobot final : public language::ProgramWorld {
 public:
  /// The chain from a base link to the flange; tools are those of the arm that it is. `model` must outlive
  /// it.
  static Result<ProgramRobot> make(const RobotModel& model, std::size_t base_link, std::size_t tip_link);
  /// The arm of that name; empty: the only one.
  static Result<ProgramRobot> make(const RobotModel& model, std::string_view arm);

  /// Where all joints of the robot are [rad, m].
  void take_joints(std::span<const double> q_all);
  void take_io(const IoState& io) { io_ = io; }
  /// Whether a gripper holds something.
  void take_hold(bool holds) { holds_ = holds; }
  /// Who knows where things are; none: nobody.
  void ask_for_objects(ObjectFinder finder) { finder_ = std::move(finder); }

  const RobotModel& model() const { return *model_; }
  const SerialChain& chain() const { return chain_; }
  /// Where the arm's own joints are [rad, m].
  const std::vector<double>& joints() const { return q_; }
  /// All positions of the robot [rad, m].
  const std::vector<double>& all_joints() const { return q_all_; }
  const IoState& io() const { return io_; }

  std::size_t joint_count() const override { return chain_.size(); }
  bool is_revolute(std::size_t joint) const override;
  std::optional<std::vector<std::string>> names(language::NameKind kind) const override;
  std::optional<Pose> tool(std::string_view name) const override;
  std::optional<Pose> frame(std::string_view name) const override;
  std::optional<std::variant<Pose, language::JointValues>> point(std::string_view name) const override;
  std::optional<bool> input(std::string_view name) const override;
  std::optional<double> analog_input(std::string_view name) const override;
  std::optional<Pose> flange_now() const override { return chain_.tool_pose(q_); }
  /// X_RF, R the root link; nothing when the arm's base is moved by joints.
  std::optional<Pose> flange_in_root() const {
    return X_RB_ ? std::optional(*X_RB_ * chain_.tool_pose(q_)) : std::nullopt;
  }
  std::optional<std::vector<double>> joints_now() const override { return q_; }
  std::optional<bool> holds() const override { return holds_; }
  Result<Pose> object(std::string_view name) const override;

 private:
  ProgramRobot(const RobotModel& model, SerialChain chain);
  void collect_tools(std::size_t base_link, std::size_t tip_link);
  void collect_points();

  const RobotModel* model_;
  SerialChain chain_;
  std::optional<Pose> X_RB_;  ///< Of the arm's base in the root; nothing when joints move it.
  ObjectFinder finder_;
  std::map<std::string, Pose, std::less<>> tools_;
  Pose X_FT_;                                        // of the tip: the arm's first tool, or its flange
  std::map<std::string, Pose, std::less<>> frames_;  ///< X_BU; none when joints move the base.
  std::map<std::string, std::vector<double>, std::less<>> points_;
  std::vector<double> q_;
  std::vector<double> q_all_;
  IoState io_;
  bool holds_ = false;
};

}  // namespace sinew
