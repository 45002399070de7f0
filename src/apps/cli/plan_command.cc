// SPDX-License-Identifier: BSD-3-Clause
// sinew plan | sinew bench plan
#include "apps/cli/plan_command.h"

#include <cmath>
#include <cstdio>
#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/base/text.h"
#include "sinew/mesh/mesh_points.h"
#include "sinew/messages/decode.h"
#include "sinew/model/positions.h"
#include "sinew/planning/planner.h"
#include "sinew/planning/planning_robot.h"

#include "apps/cli/plan_scene.h"
#include "apps/cli/program_beside.h"
#include "apps/cli/robot_choice.h"

namespace sinew::cli {
namespace {

Result<PlanningRobot> robot_from(const Words& words) {
  if (words.has("--robot") == words.has("--urdf")) {
    return usage_error("say which robot: --robot NAME [--arm NAME], or --urdf FILE [--tip LINK]");
  }
  auto robot = load_planning_robot({.robot = words.text(words.has("--robot") ? "--robot" : "--urdf"),
                                    .arm = words.text("--arm"),
                                    .tool = words.text("--tool"),
                                    .base = words.text("--base"),
                                    .tip = words.text("--tip")},
                                   points_of_mesh);
  if (!robot) return robot.error();
  for (const Remark& remark : robot->chosen.robot.remarks) fmt::print(stderr, "{}\n", remark_text(remark));
  if (robot->found_pairs > 0) {
    fmt::print(stderr, "{} pairs of links were found to need no check; 'sinew new' keeps such findings\n",
               robot->found_pairs);
  }
  return robot;
}

Result<Pose> pose_from(const std::vector<double>& numbers) {
  if (numbers.size() != 7) {
    return usage_error(fmt::format("--pose takes 7 numbers (x y z qw qx qy qz), not {}", numbers.size()));
  }
  const Quaternion rotation(numbers[3], numbers[4], numbers[5], numbers[6]);
  if (std::abs(rotation.norm() - 1.0) > 1e-3) {
    return usage_error(fmt::format("the quaternion of --pose has length {:.6f}, not 1", rotation.norm()));
  }
  return Pose{.rotation = rotation.normalized(), .position = {numbers[0], numbers[1], numbers[2]}};
}

/// All positions of the robot, those that were given among them.
Result<std::vector<double>> start_from(const Words& words, const PlanningRobot& robot) {
  std::vector<double> all = starting_positions(robot.chosen.robot.model);
  const auto given = words.numbers("--from");
  if (!given) return given.error();
  if (!words.has("--from")) return all;
  const auto positions = positions_for(robot, given->size());
  if (!positions) return usage_error("--from: " + positions.error().message);
  for (std::size_t i = 0; i < given->size(); ++i) all[(*positions)[i]] = (*given)[i];
  return all;
}

Result<PlanRequest> request_from(const Words& words, const PlanningRobot& robot) {
  PlanRequest request;
  auto start = start_from(words, robot);
  if (!start) return start.error();
  request.start = *std::move(start);
  if (words.has("--to") == words.has("--pose"))
    return usage_error("say where to: --to Q…, or --pose x y z qw qx qy qz");
  const auto numbers = words.numbers(words.has("--to") ? "--to" : "--pose");
  if (!numbers) return numbers.error();
  if (words.has("--to")) {
    request.goal = JointGoal{*numbers};
  } else {
    const auto pose = pose_from(*numbers);
    if (!pose) return pose.error();
    request.goal = PoseGoal{.X_BT = *pose};
  }
  const auto seed = words.whole("--seed", 0, UINT32_MAX);
  const auto time = words.number("--time", 1e-3, 3600.0);
  if (!seed) return seed.error();
  if (!time) return time.error();
  request.seed = *seed;
  request.time_limit = *time;
  if (words.has("--level")) {
    const auto angle = words.number("--level", 0.001, 3.14);
    if (!angle) return angle.error();
    const SerialChain& chain = robot.chosen.chain;
    std::vector<double> q;
    for (std::size_t i = 0; i < chain.size(); ++i) q.push_back(request.start[chain.position(i)]);
    // what points up at the start stays up
    const Vector3 up = chain.tool_pose(q).rotation.conjugate() * Vector3::UnitZ();
    request.constraint.cone = AxisCone{.tool_axis = up, .direction = Vector3::UnitZ(), .angle = *angle};
  }
  return request;
}

std::string path_json(const PlanResult& result) {
  std::string text;
  for (const JointVector& q : result.path) {
    text += fmt::format("{}[{}]", text.empty() ? "" : ", ", fmt::join(q.data(), q.data() + q.size(), ", "));
  }
  return "[" + text + "]";
}

void print_json(const PlanResult& result, const Planner& planner, const RobotModel& model,
                std::ostream& out) {
  std::string joints;
  for (const std::size_t position : planner.planned()) {
    joints += fmt::format("{}{}", joints.empty() ? "" : ", ",
                          json_text(model.joints[model.positions[position]].name));
  }
  const bool has_pair = result.contact.link_a != kNone;
  out << fmt::format(
      "{{\"ok\": {}, \"status\": \"{}\", \"reason\": {}, \"joints\": [{}], \"path\": {}, \"length\": {}, "
      "\"first_length\": {}, \"search_ms\": {:.6f}, \"shorten_ms\": {:.6f}, \"iterations\": {}, "
      "\"blocked_by\": {}, "
      "\"lacking_clearance\": {}}}\n",
      result.status == PlanStatus::Solved, plan_status_text(result.status), json_text(result.reason), joints,
      path_json(result), result.length, result.first_length, 1e-6 * static_cast<double>(result.search_ns),
      1e-6 * static_cast<double>(result.shorten_ns), result.iterations,
      has_pair ? json_text(planner.pair_text(result.contact)) : "null", result.lacking_clearance);
}

void print_text(const PlanResult& result, std::ostream& out) {
  out << fmt::format("{} corners, length {:.3f} (first path {:.3f}), found in {}, shortened in {}\n",
                     result.path.size(), result.length, result.first_length, duration_text(result.search_ns),
                     duration_text(result.shorten_ns));
  for (const JointVector& q : result.path) {
    for (const double value : q) out << fmt::format("{:>11.6f}", value);
    out << '\n';
  }
}

Status run_plan(const Words& words, std::ostream& out) {
  const auto robot = robot_from(words);
  if (!robot) return robot.error();
  const auto request = request_from(words, *robot);
  if (!request) return request.error();
  const auto margin = words.number("--margin", 0.0, 1.0);
  if (!margin) return margin.error();
  const RobotModel& model = robot->chosen.robot.model;
  auto planner = Planner::make(model, {.clearance = {.mesh_points = points_of_mesh, .margin = *margin},
                                       .chain = &robot->chosen.chain});
  if (!planner) return planner.error();
  if (words.has("--scene")) {
    const auto world = load_scene(words.text("--scene"));
    if (!world) return world.error();
    planner->set_world(*world);
  }
  const PlanResult result = planner->plan(*request);
  const bool is_solved = result.status == PlanStatus::Solved;
  if (words.has("--json")) {
    print_json(result, *planner, model, out);
  } else if (is_solved) {
    print_text(result, out);
  }
  if (is_solved) return Done{};
  return Error{result.status == PlanStatus::InvalidInput ? ErrorCode::InvalidInput : ErrorCode::OutOfLimits,
               result.reason};
}

Status run_bench_plan(const Words& words, std::ostream& /*out*/) {
  return run_program_beside("sinew-bench-plan", bench_plan_command(), words);
}

}  // namespace

Command plan_command() {
  Command command{
      .name = "plan",
      .summary = "A path that touches nothing, from joint positions to a goal",
      .details =
          "The path is a list of corners, straight in joint space between them; every configuration of it is "
          "proven "
          "clear of the robot itself and of the scene. The same seed gives the same path. When there is "
          "none, it says "
          "what is in the way.",
      .options = chain_options(),
      .examples =
          {"sinew plan --robot panda --scene worlds/table/world.yaml --to 1.2 -0.785 0 -2.356 0 1.571 0.785",
           "sinew plan --robot ur5e --from 0 -1.57 1.57 -1.57 -1.57 0 --pose 0.4 0.2 0.3 0 1 0 0 --json"},
      .run = run_plan,
  };
  const std::vector<Option> own{
      {.name = "--scene",
       .value_name = "FILE",
       .help = "Obstacles: the list 'objects' of a world.yaml, in the frame of the robot's root.",
       .completion = Completion::File},
      {.name = "--from",
       .value_name = "Q…",
       .help = "Where the joints are; home unless given.",
       .most_values = 64},
      {.name = "--to", .value_name = "Q…", .help = "Where to: one number for each joint.", .most_values = 64},
      {.name = "--pose",
       .value_name = "X Y Z QW QX QY QZ",
       .help = "Where to: position in m and quaternion of the tip, in the chain's base.",
       .most_values = 7},
      {.name = "--level",
       .value_name = "ANGLE",
       .help = "What points up at the tip stays within this angle [rad] of up."},
      {.name = "--margin", .value_name = "M", .help = "Keep at least so far away [m].", .fallback = "0"},
      {.name = "--seed", .value_name = "N", .help = "Of the random numbers.", .fallback = "1"},
      {.name = "--time", .value_name = "S", .help = "Give up after so long [s].", .fallback = "5"},
      {.name = "--json", .value_name = "", .help = "Print JSON."}};
  command.options.insert(command.options.end(), own.begin(), own.end());
  return command;
}

Command bench_plan_command() {
  Command command{
      .name = "bench plan",
      .summary = "Measure planning among obstacles beside OMPL's on the same problems",
      .details =
          "Rows: Sinew, OMPL's RRTConnect on Sinew's checker, and OMPL on FCL as MoveIt sets it up, each "
          "without and "
          "with its simplification; times in ms on one core. invalid: returned paths that FCL finds in "
          "collision in "
          "steps of 1 mm. Generated problems are solvable: the generator has found a path for each.",
      .options = chain_options(),
      .examples = {"sinew bench plan --robot panda --generate shelf --count 50",
                   "sinew bench plan --urdf arm.urdf --problems problems.txt --json"},
      .run = run_bench_plan,
  };
  const std::vector<Option> own{
      {.name = "--problems",
       .value_name = "FILE",
       .help = "Problems as docs/reference/problem_file.md says.",
       .completion = Completion::File},
      {.name = "--generate",
       .value_name = "KIND",
       .help = "Make problems: shelf, box, table, cage, or all of them."},
      {.name = "--count", .value_name = "N", .help = "How many of each kind to make (default: 100)."},
      {.name = "--seed", .value_name = "S", .help = "Of the random numbers (default: 1)."},
      {.name = "--time", .value_name = "S", .help = "Give up on a problem after so long [s] (default: 5)."},
      {.name = "--rounds",
       .value_name = "N",
       .help = "Plan each problem so often; the shortest time counts (default: 1)."},
      {.name = "--out",
       .value_name = "FILE",
       .help = "Write the problems there.",
       .completion = Completion::File},
      {.name = "--json", .value_name = "", .help = "Print JSON."},
      {.name = "--no-rivals", .value_name = "", .help = "Leave OMPL out."}};
  command.options.insert(command.options.end(), own.begin(), own.end());
  return command;
}

}  // namespace sinew::cli
