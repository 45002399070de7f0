// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/arm_solver.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/text.h"
#include "sinew/kinematics/legacy_mds_ik.h"
#include "sinew/motion/deterministic.h"

namespace sinew {
namespace {

constexpr int kOtherBeginnings = 8;
constexpr int kFewBeginnings = 2;
constexpr PoseTolerance kExactly{.position = 1e-6, .rotation = 1e-6};
constexpr int kComponentBeginnings = 60;
constexpr std::size_t kEnoughCandidates = 12;
constexpr int kSweptTogether = 8;  // values of the spare joints
constexpr int kMostSwept = 2000;   // that give no posture
constexpr int kMostFurtherSolved = 200;
constexpr double kSamePosture = 0.02;  // [rad, m]

std::span<const double> numbers_in(const JointVector& q) {
  return {q.data(), static_cast<std::size_t>(q.size())};
}

void add_candidate(std::vector<JointVector>& candidates, const JointVector& q) {
  const bool is_known = std::ranges::any_of(
      candidates, [&](const JointVector& other) { return (other - q).cwiseAbs().maxCoeff() < kSamePosture; });
  if (!is_known && candidates.size() < kEnoughCandidates) candidates.push_back(q);
}

// the first found stays first where it is about as near: it is the one that keeps the posture
void sort_by_distance(std::vector<JointVector>& candidates, const JointVector& now) {
  std::ranges::stable_sort(candidates, {}, [&](const JointVector& q) {
    return std::round(50.0 * (q - now).cwiseAbs().maxCoeff());
  });
}

PoseTask task_of(const ToolGoal& goal) {
  const std::uint32_t mask = goal.components.mask;
  PoseTask task{.axes = goal.is_in_tool ? TaskAxes::Tool : TaskAxes::Base};
  for (std::size_t i = 0; i < 3; ++i) {
    task.position[i] = (mask >> i & 1) != 0;
    task.rotation[i] = (mask >> (i + 3) & 1) != 0;
  }
  return task;
}

std::vector<std::string> names_of_arms(const RobotModel& model) {
  std::vector<std::string> names;
  for (const Arm& arm : model.arms) names.push_back(arm.name);
  return names;
}

// where the axes are that a request gives its goal in
Result<Pose> user_frame(const Request& request) {
  for (std::size_t i = 0; i < 3; ++i)
    if (!std::isfinite(request.frame_position[i]) || !std::isfinite(request.frame_rpy[i]))
      return Error{ErrorCode::InvalidInput, "a component of the frame is no finite number"};
  if (request.component_mask != 63)
    return Error{ErrorCode::InvalidInput,
                 fmt::format("component_mask {} leaves components free; in a frame of its own a goal needs "
                             "all six, 63",
                             request.component_mask)};
  const auto& p = request.frame_position;
  const auto& rpy = request.frame_rpy;
  return pose_from({p[0], p[1], p[2], rpy[0], rpy[1], rpy[2]});
}

Result<ToolFrame> tool_named(const Arm& arm, std::string_view name) {
  if (name.empty()) return ToolFrame{.name = "flange", .link = arm.tip_link};
  std::vector<std::string> names;
  for (const ToolFrame& tool : arm.tools) {
    if (tool.name == name) return tool;
    names.push_back(tool.name);
  }
  return Error{
      ErrorCode::NotFound,
      fmt::format("arm '{}' has no tool '{}'{}; it has {}", arm.name, name, did_you_mean(name, names),
                  names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")))};
}

}  // namespace

Result<std::size_t> arm_named(const RobotModel& model, std::string_view name) {
  const std::vector<std::string> names = names_of_arms(model);
  if (names.empty())
    return Error{ErrorCode::NotFound, "the robot has no arm; name one under arms: in its robot.yaml"};
  if (name.empty() && names.size() == 1) return std::size_t{0};
  if (name.empty())
    return Error{ErrorCode::NotFound, fmt::format("the robot has {} arms: say which, of {}", names.size(),
                                                  fmt::join(names, ", "))};
  const std::size_t found = find_arm(model, name);
  if (found != kNone) return found;
  return Error{ErrorCode::NotFound, fmt::format("the robot has no arm '{}'{}; it has {}", name,
                                                did_you_mean(name, names), fmt::join(names, ", "))};
}

Result<std::unique_ptr<ArmSolver>> ArmSolver::make(const RobotModel& model, std::string_view arm,
                                                   std::string_view tool) {
  const auto index = arm_named(model, arm);
  if (!index) return index.error();
  const Arm& found = model.arms[*index];
  const auto frame = tool_named(found, tool);
  if (!frame) return frame.error();
  auto chain = SerialChain::make(model, found.base_link, frame->link, frame->X_LT);
  if (!chain) return chain.error();
  // both at any posture of the chain: what is between tip and tool does not move
  const auto tip = SerialChain::make(model, found.base_link, found.tip_link);
  if (!tip) return tip.error();
  const std::vector<double> zero(chain->size(), 0.0);
  const Pose X_FT =
      tip->size() == chain->size() ? inverse(tip->tool_pose(zero)) * chain->tool_pose(zero) : Pose{};
  return std::unique_ptr<ArmSolver>(new ArmSolver(model, found.name, *std::move(chain), X_FT));
}

ArmSolver::ArmSolver(const RobotModel& model, std::string name, SerialChain chain, const Pose& X_FT)
    : model_(model),
      name_(std::move(name)),
      chain_(std::move(chain)),
      X_FT_(X_FT),
      ik_(chain_),
      family_(PostureFamily::find(model, chain_)) {
  for (std::size_t i = 0; i < chain_.size(); ++i) joint_mask_ |= std::uint64_t{1} << chain_.position(i);
}

JointVector ArmSolver::own_joints(std::span<const double> q_all) const {
  JointVector own(static_cast<Eigen::Index>(chain_.size()));
  for (std::size_t i = 0; i < chain_.size(); ++i)
    own[static_cast<Eigen::Index>(i)] = q_all[chain_.position(i)];
  return own;
}

Pose ArmSolver::tool_pose(std::span<const double> q_all) const {
  return chain_.tool_pose(numbers_in(own_joints(q_all)));
}

Result<ToolGoal> ArmSolver::goal_of(const Request& request, std::span<const double> q_all) const {
  ToolGoal goal{.is_in_tool = request.frame == RequestFrame::Tool,
                .is_legacy = request.is_legacy != 0,
                .is_exact = request.is_exact != 0};
  ComponentGoal& components = goal.components;
  components.mask = request.component_mask;
  if (components.mask == 0 || components.mask > 63)
    return Error{ErrorCode::InvalidInput,
                 fmt::format("component_mask {} means no components: bits 0 to 5 stand for x, y, z, roll, "
                             "pitch, yaw",
                             components.mask)};
  for (std::size_t i = 0; i < 6; ++i) {
    const double value = i < 3 ? request.position[i] : request.rpy[i - 3];
    const bool is_meant = (components.mask >> i & 1) != 0;
    if (is_meant && !std::isfinite(value))
      return Error{ErrorCode::InvalidInput, "a component of the goal is no finite number"};
    components.value[i] = is_meant ? value : 0.0;
  }
  if (goal.is_legacy && (goal.is_in_tool || !std::has_single_bit(components.mask + 1)))
    return Error{ErrorCode::InvalidInput,
                 "the steps of MDS-Ach are for the first 1 to 6 of x, y, z, roll, pitch, yaw, in the base"};
  goal.X_BT = pose_from(components.value);
  if (request.frame == RequestFrame::Base) return goal;
  Pose X_BU;
  if (goal.is_in_tool) {
    X_BU = tool_pose(q_all);
  } else {
    const auto frame = user_frame(request);
    if (!frame) return frame.error();
    X_BU = *frame;
  }
  goal.X_BT = X_BU * goal.X_BT;
  components.value = components_of(goal.X_BT);
  return goal;
}

ArmAnswer ArmSolver::solve(const ToolGoal& goal, const JointVector& now, const JointVector& home) const {
  if (goal.is_legacy) return solve_as_before(goal, now);
  const std::uint32_t rotation = goal.components.mask >> 3;
  const bool is_partly_turned = rotation != 0 && rotation != 7;
  ArmAnswer answer =
      is_partly_turned && !goal.is_in_tool ? solve_components(goal, now, home) : solve_pose(goal, now, home);
  sort_by_distance(answer.candidates, now);
  if (!answer.candidates.empty()) answer.nearest = answer.candidates.front();
  return answer;
}

ArmAnswer ArmSolver::solve_pose(const ToolGoal& goal, const JointVector& now, const JointVector& home) const {
  ArmAnswer answer;
  const PoseTask task = task_of(goal);
  const PoseTolerance accepted = goal.is_exact ? PoseTolerance{} : kPoseTolerance;
  const IkResult first =
      ik_.solve(goal.X_BT, numbers_in(now), {.task = task, .accepted = accepted, .posture = numbers_in(now)});
  answer.error = {.position = first.position_error, .rotation = first.rotation_error};
  answer.nearest = first.nearest;
  if (first.status != IkStatus::Solved) {
    answer.words = explain(first, model_, chain_);
    return answer;
  }
  for (const IkSolution& solution : first.solutions) add_candidate(answer.candidates, solution.q);
  std::uint64_t seed = 1;
  // where nothing is exact, each search goes on to its end
  const bool is_exact = kExactly.holds(first.position_error, first.rotation_error);
  for (int i = 0; i < (is_exact ? kOtherBeginnings : kFewBeginnings); ++i) {
    const JointVector begin = i == 0 ? home : random_posture(seed);
    const IkResult other = ik_.solve(goal.X_BT, numbers_in(begin),
                                     {.task = task, .accepted = accepted, .posture = numbers_in(begin)});
    if (other.status != IkStatus::Solved) continue;
    for (const IkSolution& solution : other.solutions) add_candidate(answer.candidates, solution.q);
  }
  return answer;
}

std::function<std::vector<JointVector>()> ArmSolver::more_postures(const ToolGoal& goal,
                                                                   const JointVector& now) const {
  const PoseTask task = task_of(goal);
  if (goal.is_legacy) return {};
  if (family_ != nullptr && asks_for_everything(task)) {
    return [sweep = PostureSweep(*family_, goal.X_BT, numbers_in(now), 1)]() mutable {
      std::vector<JointVector> postures;
      for (int i = 0; i < kSweptTogether || (postures.empty() && i < kMostSwept); ++i)
        for (const IkSolution& solution : sweep.next()) postures.push_back(solution.q);
      return postures;
    };
  }
  const std::uint32_t rotation = goal.components.mask >> 3;
  const bool are_all_known = chain_.size() <= 6 && asks_for_everything(task);
  if (are_all_known || (rotation != 0 && rotation != 7)) return {};
  return [this, task, X_BT = goal.X_BT, seed = std::uint64_t{2}, left = kMostFurtherSolved]() mutable {
    std::vector<JointVector> postures;
    for (int i = 0; (i < kSweptTogether || postures.empty()) && left > 0; ++i, --left) {
      const JointVector begin = random_posture(seed);
      const IkResult found = ik_.solve(X_BT, numbers_in(begin), {.task = task});
      for (const IkSolution& solution : found.solutions) postures.push_back(solution.q);
    }
    return postures;
  };
}

ArmAnswer ArmSolver::solve_components(const ToolGoal& goal, const JointVector& now,
                                      const JointVector& home) const {
  ArmAnswer answer;
  std::uint64_t seed = 1;
  ComponentAnswer nearest;
  for (int i = 0; i < kComponentBeginnings && answer.candidates.size() < kEnoughCandidates; ++i) {
    const JointVector begin = i == 0 ? now : i == 1 ? home : random_posture(seed);
    const ComponentAnswer found = reach_components(chain_, goal.components, begin);
    if (found.is_solved) add_candidate(answer.candidates, found.q);
    const auto sum = [](const ComponentError& error) { return error.position + error.rotation; };
    if (i == 0 || sum(found.error) < sum(nearest.error)) nearest = found;
  }
  answer.error = nearest.error;
  answer.nearest = nearest.q;
  answer.steps = static_cast<std::uint32_t>(nearest.steps);
  const bool is_near = kPoseTolerance.holds(nearest.error.position, nearest.error.rotation);
  if (answer.candidates.empty() && is_near && !goal.is_exact) add_candidate(answer.candidates, nearest.q);
  if (answer.candidates.empty())
    answer.words = fmt::format(
        "no posture within the limits meets these components; the nearest found is off "
        "by {} and {}",
        length_text(nearest.error.position), angle_text(nearest.error.rotation));
  return answer;
}

ArmAnswer ArmSolver::solve_as_before(const ToolGoal& goal, const JointVector& now) const {
  const auto count = static_cast<std::size_t>(std::popcount(goal.components.mask));
  const LegacyMdsResult walked = solve_as_mds_did(chain_, {goal.components.value.data(), count},
                                                  numbers_in(now), LegacyMdsOptions::for_components(count));
  ArmAnswer answer{.error = error_of(goal.components, chain_.tool_pose(numbers_in(walked.q))),
                   .steps = static_cast<std::uint32_t>(walked.steps),
                   .nearest = walked.q};
  if (walked.is_solved) {
    answer.candidates.push_back(walked.q);
  } else {
    answer.words = fmt::format(
        "the steps of MDS-Ach got no nearer than {:.6f} in {} steps; ask without the "
        "legacy mode, or for a point nearer to the hand",
        walked.residual, walked.steps);
  }
  return answer;
}

JointVector ArmSolver::random_posture(std::uint64_t& seed) const {
  JointVector q(static_cast<Eigen::Index>(chain_.size()));
  for (std::size_t i = 0; i < chain_.size(); ++i)
    q[static_cast<Eigen::Index>(i)] = between(chain_.limits(i), seed);
  return q;
}

}  // namespace sinew
