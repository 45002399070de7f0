// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sinew/kinematics/chain_choice.h"
#include "sinew/kinematics/inverse_kinematics.h"
#include "sinew/language/check.h"
#include "sinew/language/world.h"

namespace sinew::cli {

/// An arm as programs see it, standing still: its tools, postures and joints, and whether each goal of a move
/// can be reached within the limits. Where it would be after a move is where the next one begins.
class CheckedArm final : public language::ProgramWorld, public language::MoveJudge {
 public:
  /// `chosen` must outlive this object; its chain ends at the flange. Begins at the home posture, or
  /// mid-range where there is none.
  explicit CheckedArm(const ChosenChain& chosen);

  /// Begins at q [rad, m]; refuses a wrong count and positions outside the limits.
  Status start_at(const std::vector<double>& q);

  std::size_t joint_count() const override { return chosen_.chain.size(); }
  bool is_revolute(std::size_t joint) const override;
  std::optional<std::vector<std::string>> names(language::NameKind kind) const override;
  std::optional<Pose> tool(std::string_view name) const override;
  std::optional<Pose> frame(std::string_view /*name*/) const override { return {}; }
  std::optional<std::variant<Pose, language::JointValues>> point(std::string_view name) const override;
  std::optional<bool> input(std::string_view /*name*/) const override { return false; }
  std::optional<double> analog_input(std::string_view /*name*/) const override { return 0.0; }
  std::optional<Pose> flange_now() const override { return chosen_.chain.tool_pose(q_); }
  std::optional<std::vector<double>> joints_now() const override { return q_; }

  std::vector<language::Judgement> judge(const language::MoveAction& move) override;

 private:
  void collect_tools();
  void collect_points();
  void go_to(const language::MoveAction& move, const language::MoveGoal& goal,
             std::vector<language::Judgement>& said);
  void go_to_joints(std::vector<double> q, std::vector<language::Judgement>& said);
  void go_to_pose(const Pose& X_BF, std::vector<language::Judgement>& said);
  Pose displaced(const language::MoveAction& move) const;
  void compare_spline_start(const language::MoveAction& move, std::vector<language::Judgement>& said) const;
  const std::string& joint_name(std::size_t i) const;
  std::string position_text(std::size_t i, double value) const;

  const ChosenChain& chosen_;
  InverseKinematics solver_;
  std::map<std::string, Pose, std::less<>> tools_;
  std::map<std::string, std::vector<double>, std::less<>> points_;
  std::vector<double> q_;
};

}  // namespace sinew::cli
