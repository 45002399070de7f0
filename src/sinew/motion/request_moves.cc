// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/request_moves.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"

namespace sinew {
namespace {

constexpr std::size_t kMostPlanners = 6;
constexpr std::size_t kMostGoalsRound = 2;
constexpr int kSpeedSamples = 200;

MovePlan refused_plan(MoveFault fault, std::string words) {
  MovePlan plan;
  plan.refusal = MoveRefusal{.fault = fault, .words = std::move(words)};
  return plan;
}

// how fast the tool is at most [m/s]
double fastest_tool(const ArmSolver& arm, std::uint64_t joint_mask, const Trajectory& trajectory) {
  const SerialChain& chain = arm.chain();
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < chain.size(); ++i) {
    const std::uint64_t before = joint_mask & ((std::uint64_t{1} << chain.position(i)) - 1);
    rows.push_back(static_cast<std::size_t>(std::popcount(before)));
  }
  double fastest = 0.0;
  JointVector q(static_cast<Eigen::Index>(chain.size()));
  JointVector speed = q;
  for (int k = 0; k <= kSpeedSamples; ++k) {
    for (std::size_t i = 0; i < chain.size(); ++i) {
      const CurvePoint point = trajectory.at(rows[i], trajectory.length() * k / kSpeedSamples);
      q[static_cast<Eigen::Index>(i)] = point.value;
      speed[static_cast<Eigen::Index>(i)] = point.first;
    }
    Jacobian jacobian;
    chain.tool_pose({q.data(), chain.size()}, jacobian);
    fastest = std::max(fastest, (jacobian.topRows<3>() * speed).norm());
  }
  return fastest;
}

}  // namespace

bool is_tool_path(const Request& request) {
  return request.verb == RequestVerb::MoveLine || request.verb == RequestVerb::MoveCircle;
}

Status check_timing(const Request& request) {
  for (const auto& [name, value] :
       {std::pair("tool_speed", request.tool_speed),
        std::pair("tool_acceleration", request.tool_acceleration), std::pair("duration", request.duration),
        std::pair("blend_radius", request.blend_radius)}) {
    if (value >= 0.0 && value <= 1e6) continue;
    return Error{ErrorCode::InvalidInput, fmt::format("{} {} cannot be: zero, or more", name, value)};
  }
  const bool has_arm = request.verb != RequestVerb::MoveJoints;
  if (!has_arm && request.tool_speed > 0.0)
    return Error{ErrorCode::InvalidInput,
                 "tool_speed is for moves of a tool: give joints a share of their speed, or a duration"};
  if (!is_tool_path(request) && request.tool_acceleration > 0.0)
    return Error{ErrorCode::InvalidInput,
                 "tool_acceleration is for lines and circles: give others a share of the speed"};
  return Done{};
}

Result<Move> move_of(const Request& request, const ArmSolver& arm, std::span<const double> q_all) {
  const auto goal = arm.goal_of(request, q_all);
  if (!goal) return goal.error();
  if (request.component_mask != 63)
    return Error{ErrorCode::InvalidInput,
                 fmt::format("component_mask {} leaves components free; lines and circles need all six, 63",
                             request.component_mask)};
  Move move{.kind = request.verb == RequestVerb::MoveCircle ? MoveKind::Circle : MoveKind::Line,
            .X_FT = arm.X_FT(),
            .timing = {.speed = request.speed},
            .blend_radius = request.blend_radius};
  if (move.kind == MoveKind::Circle) {
    Request via = request;
    via.position = request.via_position;
    via.rpy = request.via_rpy;
    const auto on_the_way = arm.goal_of(via, q_all);
    if (!on_the_way) return on_the_way.error();
    move.goals.emplace_back(on_the_way->X_BT);
  }
  move.goals.emplace_back(goal->X_BT);
  if (request.duration > 0.0) move.timing.duration = request.duration;
  if (request.tool_speed > 0.0) move.timing.tool_speed = request.tool_speed;
  if (request.tool_acceleration > 0.0) move.timing.tool_acceleration = request.tool_acceleration;
  return move;
}

Status fit_timing(const Request& request, const ArmSolver* arm, std::uint64_t joint_mask,
                  Trajectory& trajectory) {
  if (trajectory.piece_count() == 0) return Done{};
  if (request.tool_speed > 0.0 && arm != nullptr)
    trajectory.stretch(std::max(1.0, fastest_tool(*arm, joint_mask, trajectory) / request.tool_speed));
  if (request.duration == 0.0) return Done{};
  const double shortest = trajectory.length();
  if (request.duration < shortest * (1.0 - 1e-9))
    return Error{ErrorCode::OutOfLimits,
                 fmt::format("it cannot be done in {:.3f} s: within the limits it takes {:.3f} s",
                             request.duration, std::ceil(shortest * 1000.0) / 1000.0)};
  trajectory.stretch(request.duration / shortest);
  return Done{};
}

ReplyStatus reply_status(MoveFault fault) {
  switch (fault) {
    case MoveFault::Unreachable:
    case MoveFault::Limit:
    case MoveFault::Singular:
      return ReplyStatus::Unreachable;
    case MoveFault::Blocked:
      return ReplyStatus::Blocked;
    case MoveFault::Invalid:
    case MoveFault::TooFast:
    case MoveFault::Interrupted:
      break;
  }
  return ReplyStatus::Refused;
}

RequestMoves::RequestMoves(const RobotModel& model, double margin, MeshPoints mesh_points,
                           Interruption interruption)
    : model_(model),
      margin_(margin),
      mesh_points_(std::move(mesh_points)),
      interruption_(std::move(interruption)) {}

void RequestMoves::set_world(const Obstacles& world) {
  world_ = world;
  // one that does not fit was refused by who asks for ways
  for (auto& [key, planner] : planners_) static_cast<void>(planner->set_world(world));
}

Result<MovePlanner*> RequestMoves::planner_for(const std::string& arm, std::uint64_t joint_mask) {
  const auto known = planners_.find({arm, joint_mask});
  if (known != planners_.end()) return known->second.get();
  auto made = MovePlanner::make(model_, {.arm = arm,
                                         .joint_mask = joint_mask,
                                         .margin = margin_,
                                         .mesh_points = mesh_points_,
                                         .with_measures = false,
                                         .interruption = interruption_});
  if (!made) return made.error();
  if (const Status fits = (*made)->set_world(world_); !fits) return fits.error();
  if (planners_.size() == kMostPlanners) planners_.erase(planners_.begin());
  return planners_.emplace(std::pair(arm, joint_mask), *std::move(made)).first->second.get();
}

MovePlan RequestMoves::plan(std::span<const Request> requests, const ArmSolver& arm,
                            std::span<const double> q_all, std::span<const double> counted_from) {
  std::vector<Move> chain;
  for (const Request& request : requests) {
    auto move = move_of(request, arm, counted_from);
    if (!move) {
      MovePlan plan = refused_plan(MoveFault::Invalid, move.error().message);
      plan.refusal->move = chain.size();
      return plan;
    }
    chain.push_back(*std::move(move));
  }
  const auto planner = planner_for(arm.name(), 0);
  if (!planner) return refused_plan(MoveFault::Invalid, planner.error().message);
  return (*planner)->plan(chain, q_all);
}

MovePlan RequestMoves::plan_way_round(const RouteTask& task, double speed) {
  const auto planner = planner_for("", task.joint_mask);
  if (!planner) return refused_plan(MoveFault::Blocked, planner.error().message);
  MovePlan plan = refused_plan(MoveFault::Blocked, "there is no goal");
  for (std::size_t k = 0; k < std::min(task.goals.size(), kMostGoalsRound); ++k) {
    MoveJoints goal;
    for (const std::size_t position : (*planner)->planned()) goal.push_back(task.goals[k][position]);
    const Move move{.goals = {goal}, .timing = {.speed = speed}};
    plan = (*planner)->plan(std::span(&move, 1), task.from);
    if (plan || plan.refusal->fault == MoveFault::Interrupted) return plan;
  }
  return plan;
}

}  // namespace sinew
