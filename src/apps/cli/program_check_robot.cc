// SPDX-License-Identifier: BSD-3-Clause
#include "apps/cli/program_check_robot.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sinew/base/text.h"

#include "apps/cli/robot_choice.h"

namespace sinew::cli {
namespace {

using language::Judgement;
using language::Severity;

constexpr double kLimitSlack = 1e-9;  ///< [rad, m]

}  // namespace

CheckedArm::CheckedArm(const ChosenChain& chosen) : chosen_(chosen), solver_(chosen.chain) {
  collect_tools();
  collect_points();
  const JointVector middle = chosen.chain.middle();
  const auto home = points_.find("home");
  q_ = home != points_.end() ? home->second
                             : std::vector<double>(middle.data(), middle.data() + middle.size());
}

void CheckedArm::collect_tools() {
  const RobotModel& model = chosen_.robot.model;
  const std::vector<double> zero(chosen_.chain.size(), 0.0);
  for (const Arm& arm : model.arms) {
    if (arm.base_link != chosen_.base_link || arm.tip_link != chosen_.tip_link) continue;
    for (const ToolFrame& tool : arm.tools) {
      const auto chain = SerialChain::make(model, chosen_.base_link, tool.link, tool.X_LT);
      if (!chain || chain->size() != chosen_.chain.size()) continue;
      tools_[tool.name] = inverse(chosen_.chain.tool_pose(zero)) * chain->tool_pose(zero);
    }
  }
}

void CheckedArm::collect_points() {
  for (const NamedPosture& posture : chosen_.robot.model.postures) {
    std::vector<double> q;
    for (std::size_t i = 0; i < chosen_.chain.size(); ++i)
      q.push_back(posture.positions[chosen_.chain.position(i)]);
    // a posture of another part of the robot says nothing here
    if (std::none_of(q.begin(), q.end(), [](double x) { return std::isnan(x); })) points_[posture.name] = q;
  }
}

Status CheckedArm::start_at(const std::vector<double>& q) {
  if (q.size() != q_.size()) {
    return usage_error(
        fmt::format("--start takes {} numbers, not {}: {}", q_.size(), q.size(), variables_text(chosen_)));
  }
  if (!chosen_.chain.is_within_limits(q, kLimitSlack))
    return usage_error("--start is outside of the joints' limits; see 'sinew model'");
  q_ = q;
  return Done{};
}

bool CheckedArm::is_revolute(std::size_t joint) const {
  return joint >= chosen_.chain.size() || chosen_.chain.is_revolute(joint);
}

std::optional<std::vector<std::string>> CheckedArm::names(language::NameKind kind) const {
  std::vector<std::string> names;
  switch (kind) {
    case language::NameKind::Tool:
      for (const auto& [name, pose] : tools_) names.push_back(name);
      return names;
    case language::NameKind::Frame:
      return std::vector<std::string>{"B"};
    case language::NameKind::Point:
      for (const auto& [name, q] : points_) names.push_back(name);
      return names;
    case language::NameKind::Input:
    case language::NameKind::AnalogInput:
    case language::NameKind::Output:
    case language::NameKind::Gripper:
      break;
  }
  // robot.yaml says nothing of these
  return {};
}

std::optional<Pose> CheckedArm::tool(std::string_view name) const {
  const auto found = tools_.find(name);
  return found == tools_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::variant<Pose, language::JointValues>> CheckedArm::point(std::string_view name) const {
  const auto found = points_.find(name);
  if (found == points_.end()) return {};
  return language::JointValues{found->second};
}

std::vector<Judgement> CheckedArm::judge(const language::MoveAction& move) {
  std::vector<Judgement> said;
  if (move.kind == language::MotionKind::ToolDelta) {
    go_to_pose(displaced(move), said);
    return said;
  }
  if (move.through != language::Through::None) compare_spline_start(move, said);
  for (const language::MoveGoal& goal : move.goals) go_to(move, goal, said);
  return said;
}

void CheckedArm::go_to(const language::MoveAction& move, const language::MoveGoal& goal,
                       std::vector<Judgement>& said) {
  if (const auto* pose = std::get_if<language::PoseGoal>(&goal))
    return go_to_pose(pose->X_BT * inverse(move.tool.pose), said);
  std::vector<double> q = std::get<language::JointValues>(goal).q;
  if (move.kind == language::MotionKind::JointDelta) {
    for (std::size_t i = 0; i < q.size(); ++i) q[i] += q_[i];
  }
  go_to_joints(std::move(q), said);
}

void CheckedArm::go_to_joints(std::vector<double> q, std::vector<Judgement>& said) {
  bool is_within = true;
  for (std::size_t i = 0; i < q.size(); ++i) {
    const JointLimits& limits = chosen_.chain.limits(i);
    if (q[i] >= limits.lower - kLimitSlack && q[i] <= limits.upper + kLimitSlack) continue;
    is_within = false;
    said.push_back(
        {Severity::Error, fmt::format("joint '{}' cannot go to {}: its limits are {} to {}", joint_name(i),
                                      position_text(i, q[i]), position_text(i, limits.lower),
                                      position_text(i, limits.upper))});
  }
  if (is_within) q_ = std::move(q);
}

void CheckedArm::go_to_pose(const Pose& X_BF, std::vector<Judgement>& said) {
  const bool has_few_joints = chosen_.chain.size() < 6;
  const IkResult result = solver_.solve(X_BF, q_, {.accept_nearest_orientation = has_few_joints});
  if (result.status != IkStatus::Solved) {
    said.push_back({Severity::Error, fmt::format("the tool cannot be put there: {}",
                                                 explain(result, chosen_.robot.model, chosen_.chain))});
    return;
  }
  constexpr double kSlack = 0.01;
  if (result.rotation_error > kSlack) {
    said.push_back({Severity::Warning,
                    fmt::format("an arm of {} joints cannot take this orientation; it comes as near as {}",
                                chosen_.chain.size(), angle_text(result.rotation_error))});
  }
  const JointVector& q = result.solutions[0].q;
  q_.assign(q.data(), q.data() + q.size());
}

// where the flange would be after a DMOVE
Pose CheckedArm::displaced(const language::MoveAction& move) const {
  const language::ToolDisplacement& by = move.displacement;
  const Pose X_BT = chosen_.chain.tool_pose(q_) * move.tool.pose;
  const Quaternion turn = quaternion_from_rotation_vector(by.rotation);
  const Quaternion R_BA = by.is_in_tool_axes ? X_BT.rotation : by.R_BA;
  const Pose moved{.rotation = (R_BA * turn * R_BA.conjugate() * X_BT.rotation).normalized(),
                   .position = X_BT.position + R_BA * by.translation};
  return moved * inverse(move.tool.pose);
}

// a spline through points begins at the first of them: far from there, the robot has a way before it
void CheckedArm::compare_spline_start(const language::MoveAction& move, std::vector<Judgement>& said) const {
  if (move.goals.empty()) return;
  const auto* first = std::get_if<language::JointValues>(&move.goals[0]);
  if (first == nullptr || first->q.size() != q_.size()) return;
  std::size_t farthest = 0;
  for (std::size_t i = 0; i < q_.size(); ++i) {
    if (std::abs(first->q[i] - q_[i]) > std::abs(first->q[farthest] - q_[farthest])) farthest = i;
  }
  constexpr double kSlack = 1e-3;
  const double way = first->q[farthest] - q_[farthest];
  if (std::abs(way) < kSlack) return;
  said.push_back(
      {Severity::Warning,
       fmt::format(
           "the spline begins elsewhere than the robot is: joint '{}' is {} away; the way to the first "
           "point counts as part of it",
           joint_name(farthest), position_text(farthest, std::abs(way)))});
}

const std::string& CheckedArm::joint_name(std::size_t i) const {
  return chosen_.robot.model.joints[chosen_.chain.joint(i)].name;
}

std::string CheckedArm::position_text(std::size_t i, double value) const {
  return chosen_.chain.is_revolute(i) ? angle_text(value) : length_text(value);
}

}  // namespace sinew::cli
