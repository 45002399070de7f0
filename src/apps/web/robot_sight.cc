// SPDX-License-Identifier: BSD-3-Clause
#include "apps/web/robot_sight.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"
#include "sinew/collision/workspace.h"
#include "sinew/control/settings.h"
#include "sinew/mesh/mesh_points.h"
#include "sinew/model/positions.h"

namespace sinew {
namespace {

// What an arm with so many joints can be asked for: of five the yaw follows from where the hand is.
std::uint32_t components_of(std::size_t joints) {
  constexpr std::uint32_t kPlace = 7;
  constexpr std::uint32_t kAllButYaw = 31;
  constexpr std::uint32_t kAll = 63;
  if (joints >= 6) return kAll;
  return joints == 5 ? kAllButYaw : kPlace;
}

}  // namespace

Result<std::unique_ptr<RobotSight>> RobotSight::make(const LoadedRobot& robot) {
  std::unique_ptr<RobotSight> sight(new RobotSight(robot));
  for (const Arm& arm : sight->model().arms) {
    const std::string tool = arm.tools.empty() ? "" : arm.tools.front().name;
    auto solver = ArmSolver::make(sight->model(), arm.name, tool);
    if (!solver) return solver.error();
    sight->arms_.push_back(*std::move(solver));
    sight->tools_.push_back(tool);
  }
  const auto settings = read_control(sight->robot_.settings.control);
  if (!settings) return settings.error();
  auto shapes = RobotShapes::make(sight->model(), guard_options(*settings, points_of_mesh));
  if (!shapes) return shapes.error();
  sight->shapes_ = std::make_unique<RobotShapes>(*std::move(shapes));
  sight->checker_ = std::make_unique<CollisionChecker>(*sight->shapes_);
  const auto workspace = workspace_obstacles(sight->model());
  if (!workspace) return workspace.error();
  sight->workspace_ = *workspace;
  sight->checker_->set_world(*workspace);
  return sight;
}

std::vector<RobotSight::ArmNow> RobotSight::arms(std::span<const double> q) const {
  std::vector<ArmNow> all;
  for (std::size_t i = 0; i < arms_.size(); ++i) {
    const ArmSolver& arm = *arms_[i];
    const JointVector own = arm.own_joints(q);
    Jacobian jacobian;
    const Pose X_BT = arm.chain().tool_pose({own.data(), static_cast<std::size_t>(own.size())}, jacobian);
    all.push_back({.name = arm.name(),
                   .tool = tools_[i],
                   .X_BT = X_BT,
                   .smallest_singular_value = dexterity(jacobian).smallest_singular_value});
  }
  return all;
}

Status RobotSight::look_at(const World& world) {
  auto meaning = read_world(world, model(), meaning_.get());
  if (!meaning) return meaning.error();
  if (!join_workspace(workspace_, (*meaning)->obstacles, around_))
    return Error{ErrorCode::Full, "with the bounds of the workspace there are too many objects"};
  checker_->set_world(around_);
  // the checker points into it
  meaning_ = *std::move(meaning);
  world_ = std::make_unique<World>(world);
  return Done{};
}

std::string RobotSight::name_of(std::size_t link, std::size_t object) const {
  if (object != kNone && object < workspace_.size()) return std::string(text_of(workspace_[object].name));
  const std::size_t told = object - workspace_.size();
  if (object != kNone && world_ != nullptr && told < world_->object_count)
    return std::string(text_of(world_->objects[told].name));
  return link != kNone ? model().links[link].name : std::string();
}

std::optional<RobotSight::Nearest> RobotSight::nearest(std::span<const double> q) {
  const CheckResult found = checker_->nearest(q);
  if (found.verdict == Verdict::InvalidInput || !std::isfinite(found.contact.distance)) return std::nullopt;
  const Contact& contact = found.contact;
  return Nearest{.a = name_of(contact.link_a, contact.object_a),
                 .b = name_of(contact.link_b, contact.object_b),
                 .contact = contact};
}

Result<RobotSight::Answer> RobotSight::solve(const Wish& wish, std::span<const double> from) {
  const auto solver = ArmSolver::make(model(), wish.arm, wish.tool);
  if (!solver) return solver.error();
  const ArmSolver& arm = **solver;
  Request request{.verb = RequestVerb::Solve,
                  .component_mask = wish.component_mask.value_or(components_of(arm.chain().size())),
                  .is_exact = wish.is_exact ? 1U : 0U};
  const RollPitchYaw turn = roll_pitch_yaw(wish.X_BT.rotation);
  std::copy_n(wish.X_BT.position.data(), 3, request.position.begin());
  request.rpy = {turn.roll, turn.pitch, turn.yaw};
  const auto goal = arm.goal_of(request, from);
  if (!goal) return goal.error();
  const std::vector<double> home = starting_positions(model());
  const ArmAnswer found = arm.solve(*goal, arm.own_joints(from), arm.own_joints(home));

  Answer answer{.is_reachable = !found.candidates.empty(),
                .q = std::vector<double>(from.begin(), from.end()),
                .why = found.words,
                .position_error = found.error.position,
                .rotation_error = found.error.rotation};
  const JointVector& q = answer.is_reachable ? found.candidates.front() : found.nearest;
  const SerialChain& chain = arm.chain();
  for (Eigen::Index i = 0; i < q.size(); ++i) answer.q[chain.position(static_cast<std::size_t>(i))] = q[i];
  judge(answer);
  return answer;
}

// Whether anything would touch there, and what.
void RobotSight::judge(Answer& answer) {
  answer.is_clear = checker_->is_clear(answer.q);
  if (answer.is_clear || !answer.is_reachable) return;
  const auto pair = nearest(answer.q);
  answer.why = pair ? fmt::format("{} would come too near to {}", pair->a, pair->b) : "something would touch";
}

RobotSight::Answer RobotSight::look_at_posture(std::span<const double> q,
                                               std::span<const std::size_t> asked) {
  constexpr double kRounding = 1e-6;  // [rad, m] A posture may have gone through text.
  Answer answer{.is_reachable = true, .q = std::vector<double>(q.begin(), q.end())};
  for (const std::size_t i : asked) {
    const Joint& joint = model().joints[model().positions[i]];
    if (q[i] >= joint.limits.lower - kRounding && q[i] <= joint.limits.upper + kRounding) continue;
    answer.is_reachable = false;
    answer.why = fmt::format("{} would be beyond its limit", joint.name);
  }
  judge(answer);
  return answer;
}

}  // namespace sinew
