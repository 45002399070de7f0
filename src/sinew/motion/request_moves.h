// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "sinew/base/result.h"
#include "sinew/messages/requests.h"
#include "sinew/motion/arm_solver.h"
#include "sinew/motion/move_planner.h"
#include "sinew/motion/route_finder.h"

namespace sinew {

/// Whether the tool is to follow a line or a circle.
bool is_tool_path(const Request& request);

/// What is wrong with the times, speeds and the blend radius of a move.
Status check_timing(const Request& request);

/// The move along a line or circle that a request asks for, its numbers turned into the arm's base; `q_all`:
/// where the robot is. Refuses goals of which only some components count.
Result<Move> move_of(const Request& request, const ArmSolver& arm, std::span<const double> q_all);

/// Runs `trajectory`, whose joints are those of `joint_mask`, as much slower as the request's tool speed and
/// duration ask for. Refuses a duration that is too short, and says which would do.
Status fit_timing(const Request& request, const ArmSolver* arm, std::uint64_t joint_mask,
                  Trajectory& trajectory);

/// What a refusal means to who has asked.
ReplyStatus reply_status(MoveFault fault);

/// The planners of moves that requests need: made when first needed, then kept.
class RequestMoves {
 public:
  /// `model` must outlive it.
  RequestMoves(const RobotModel& model, double margin, MeshPoints mesh_points,
               Interruption interruption = {});

  /// What its solids point to must outlive its use.
  void set_world(const Obstacles& world);

  /// Lines and circles, run into each other by their blend radii, from where the robot is; a goal that is
  /// relative to the tool counts from where it is at `counted_from`, and only the first may be.
  MovePlan plan(std::span<const Request> requests, const ArmSolver& arm, std::span<const double> q_all,
                std::span<const double> counted_from);

  /// To the first of `goals` to which there is a way past everything; some are tried.
  MovePlan plan_way_round(const RouteTask& task, double speed);

 private:
  Result<MovePlanner*> planner_for(const std::string& arm, std::uint64_t joint_mask);

  const RobotModel& model_;
  double margin_;
  MeshPoints mesh_points_;
  Interruption interruption_;
  Obstacles world_;
  std::map<std::pair<std::string, std::uint64_t>, std::unique_ptr<MovePlanner>> planners_;
};

}  // namespace sinew
