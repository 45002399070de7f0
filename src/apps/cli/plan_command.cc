// SPDX-License-Identifier: BSD-3-Clause
// sinew plan | sinew bench plan
#include "apps/cli/plan_command.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <optional>
#include <ostream>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/base/text.h"
#include "sinew/base/time.h"
#include "sinew/kinematics/inverse_kinematics.h"
#include "sinew/mesh/mesh_points.h"
#include "sinew/messages/decode.h"
#include "sinew/model/positions.h"
#include "sinew/planning/planner.h"
#include "sinew/planning/planning_robot.h"

#include "apps/cli/ompl_plan.h"
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
                                    .tip = words.text("--tip"),
                                    .srdf = words.text("--srdf")},
                                   points_of_mesh);
  if (!robot) return robot.error();
  for (const Remark& remark : robot->chosen.robot.remarks) fmt::print(stderr, "{}\n", remark_text(remark));
  if (robot->found_pairs > 0) {
    fmt::print(stderr, "{} pairs of links were found to need no check; 'sinew new' keeps such findings\n",
               robot->found_pairs);
  }
  return robot;
}

Result<Pose> pose_from(const std::vector<double>& numbers, std::string_view option) {
  if (numbers.size() != 7) {
    return usage_error(fmt::format("{} takes 7 numbers (x y z qw qx qy qz), not {}", option, numbers.size()));
  }
  const Quaternion rotation(numbers[3], numbers[4], numbers[5], numbers[6]);
  if (std::abs(rotation.norm() - 1.0) > 1e-3) {
    return usage_error(fmt::format("the quaternion of {} has length {:.6f}, not 1", option, rotation.norm()));
  }
  return Pose{.rotation = rotation.normalized(), .position = {numbers[0], numbers[1], numbers[2]}};
}

/// So many numbers, all finite.
Result<std::vector<double>> numbers_of(const Words& words, std::string_view option, std::size_t count) {
  auto numbers = words.numbers(option);
  if (!numbers || numbers->size() == count) return numbers;
  return usage_error(fmt::format("{} takes {} numbers, not {}", option, count, numbers->size()));
}

/// --xyz, and --rpy where it is given.
Result<Pose> pose_of_parts(const Words& words) {
  const auto xyz = numbers_of(words, "--xyz", 3);
  if (!xyz) return xyz.error();
  Pose pose{.position = {(*xyz)[0], (*xyz)[1], (*xyz)[2]}};
  if (!words.has("--rpy")) return pose;
  const auto rpy = numbers_of(words, "--rpy", 3);
  if (!rpy) return rpy.error();
  pose.rotation = quaternion_from({(*rpy)[0], (*rpy)[1], (*rpy)[2]});
  return pose;
}

/// A pose, when the goal is one: by --pose, by --xyz, or by --to with seven numbers where no arm of seven
/// joints could mean its joints by them.
Result<std::optional<Pose>> pose_goal_from(const Words& words, const PlanningRobot& robot) {
  const auto wrapped = [](const Result<Pose>& pose) -> Result<std::optional<Pose>> {
    if (!pose) return pose.error();
    return std::optional(*pose);
  };
  if (words.has("--xyz")) return wrapped(pose_of_parts(words));
  const std::string_view option = words.has("--to") ? "--to" : "--pose";
  const auto numbers = words.numbers(option);
  if (!numbers) return numbers.error();
  if (option == "--pose") return wrapped(pose_from(*numbers, option));
  const std::size_t joints = robot.chosen.chain.size();
  if (numbers->size() == 7 && joints != 7) return wrapped(pose_from(*numbers, option));
  if (numbers->size() == joints) return std::optional<Pose>();
  return usage_error(
      fmt::format("--to takes {} joint positions{}, not {} numbers; --pose, or --xyz and --rpy, say a pose",
                  joints, joints == 7 ? "" : ", or the 7 numbers of a pose", numbers->size()));
}

Result<PlanGoal> goal_from(const Words& words, const PlanningRobot& robot) {
  const int given =
      (words.has("--to") ? 1 : 0) + (words.has("--pose") ? 1 : 0) + (words.has("--xyz") ? 1 : 0);
  if (given != 1)
    return usage_error("say where to: --to Q…, --pose x y z qw qx qy qz, or --xyz x y z [--rpy r p y]");
  const auto pose = pose_goal_from(words, robot);
  if (!pose) return pose.error();
  if (words.has("--region")) {
    if (!*pose) return usage_error("--region is around a pose: say it by --pose, or by --xyz and --rpy");
    const auto region = numbers_of(words, "--region", 4);
    if (!region) return region.error();
    return PlanGoal(RegionGoal{
        .X_BT = **pose, .half_extents = {(*region)[0], (*region)[1], (*region)[2]}, .angle = (*region)[3]});
  }
  if (*pose) return PlanGoal(PoseGoal{.X_BT = **pose});
  return PlanGoal(JointGoal{*words.numbers("--to")});
}

/// What the tool keeps along the way, which begins at `start`.
Result<PathConstraint> constraint_from(const Words& words, const SerialChain& chain,
                                       std::span<const double> start) {
  PathConstraint constraint;
  if (words.has("--level")) {
    const auto angle = words.number("--level", 0.001, 3.14);
    if (!angle) return angle.error();
    std::vector<double> q;
    for (std::size_t i = 0; i < chain.size(); ++i) q.push_back(start[chain.position(i)]);
    // what points up at the start stays up
    const Vector3 up = chain.tool_pose(q).rotation.conjugate() * Vector3::UnitZ();
    constraint.cone = AxisCone{.tool_axis = up, .direction = Vector3::UnitZ(), .angle = *angle};
  }
  if (words.has("--keep-box")) {
    const auto box = numbers_of(words, "--keep-box", 6);
    if (!box) return box.error();
    const PositionBox kept{.lowest = {(*box)[0], (*box)[1], (*box)[2]},
                           .highest = {(*box)[3], (*box)[4], (*box)[5]}};
    if ((kept.lowest.array() > kept.highest.array()).any())
      return usage_error("--keep-box takes the lowest corner first: X Y Z X Y Z");
    constraint.box = kept;
  }
  return constraint;
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

/// Each shorter path, on stderr.
std::function<bool(const PlanProgress&)> tell_progress() {
  return [told = 0.0, begun_ns = monotonic_now_ns()](const PlanProgress& progress) mutable {
    if (progress.length > 0.0 && progress.length != told) {
      fmt::print(stderr, "after {}: length {:.3f}\n", duration_text(monotonic_now_ns() - begun_ns),
                 progress.length);
      told = progress.length;
    }
    return true;
  };
}

Result<PlanRequest> request_from(const Words& words, const PlanningRobot& robot) {
  PlanRequest request;
  auto start = start_from(words, robot);
  if (!start) return start.error();
  request.start = *std::move(start);
  auto goal = goal_from(words, robot);
  if (!goal) return goal.error();
  request.goal = *std::move(goal);
  const auto constraint = constraint_from(words, robot.chosen.chain, request.start);
  if (!constraint) return constraint.error();
  request.constraint = *constraint;
  const auto seed = words.whole("--seed", 0, UINT32_MAX);
  const auto time = words.number("--time", 1e-3, 3600.0);
  const auto improve = words.number("--improve", 0.0, 3600.0);
  if (!seed) return seed.error();
  if (!time) return time.error();
  if (!improve) return improve.error();
  request.seed = *seed;
  request.time_limit = *time;
  // what was asked for is a time
  request.most_iterations = request.most_postures = std::numeric_limits<std::size_t>::max();
  request.improve_time = *improve;
  if (*improve > 0.0) request.progress = tell_progress();
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

/// Empty: our own.
Result<std::string> other_planner_from(const Words& words) {
  const std::string name(words.text("--planner"));
  if (name == "sinew") return std::string();
  std::vector<std::string> known = ompl_planners();
  if (name.starts_with("ompl") && known.empty()) {
    return Error{ErrorCode::NotFound,
                 fmt::format("this build has no '{}': install libompl-dev and build again, or plan without "
                             "--planner",
                             name)};
  }
  known.insert(known.begin(), "sinew");
  if (std::ranges::find(known, name) != known.end()) return name;
  return usage_error(fmt::format("there is no planner '{}'{}; known: {}", name, did_you_mean(name, known),
                                 fmt::join(known, ", ")));
}

/// The postures that a goal means and that touch nothing.
std::vector<std::vector<double>> goal_postures(const PlanGoal& goal, const SerialChain& chain,
                                               std::span<const double> start, Planner& planner) {
  if (const auto* joints = std::get_if<JointGoal>(&goal)) return {joints->q};
  const auto* pose = std::get_if<PoseGoal>(&goal);
  if (pose == nullptr) return {};
  std::vector<std::vector<double>> postures;
  for (const IkSolution& solution : InverseKinematics(chain).solve(pose->X_BT, start).solutions) {
    std::vector<double> q(solution.q.data(), solution.q.data() + solution.q.size());
    if (planner.check(q).verdict == Verdict::Clear) postures.push_back(std::move(q));
  }
  return postures;
}

/// OMPL searches where ours has found start and goal sound.
PlanResult plan_with(const std::string& other, PlanRequest request, const PlanningRobot& robot,
                     Planner& planner) {
  if (other.empty()) return planner.plan(request);
  if (request.constraint.cone || request.constraint.box || std::holds_alternative<RegionGoal>(request.goal)) {
    return {.status = PlanStatus::InvalidInput,
            .reason = fmt::format("{} knows no regions and no constraints: leave out --region, --level and "
                                  "--keep-box, or --planner",
                                  other)};
  }
  OmplTask task{.planner = other, .seed = request.seed, .time_limit = request.time_limit};
  request.most_iterations = 0;
  request.with_diagnosis = false;
  PlanResult sound = planner.plan(request);
  if (sound.status != PlanStatus::Solved && sound.status != PlanStatus::NoPath) return sound;
  const SerialChain& chain = robot.chosen.chain;
  for (std::size_t i = 0; i < chain.size(); ++i) task.start.push_back(request.start[chain.position(i)]);
  task.goals = goal_postures(request.goal, chain, task.start, planner);
  if (task.goals.empty() && sound.status == PlanStatus::Solved) {
    const JointVector& end = sound.path.back();
    task.goals.emplace_back(end.data(), end.data() + end.size());
  }
  if (task.goals.empty()) {
    return {.status = PlanStatus::GoalUnreachable,
            .reason = "none of the postures at the goal that were tried for it is clear"};
  }
  return plan_with_ompl(planner, robot.chosen.robot.model, task);
}

Status run_plan(const Words& words, std::ostream& out) {
  const auto robot = robot_from(words);
  if (!robot) return robot.error();
  const auto request = request_from(words, *robot);
  if (!request) return request.error();
  const auto margin = words.number("--margin", 0.0, 1.0);
  if (!margin) return margin.error();
  const auto other = other_planner_from(words);
  if (!other) return other.error();
  const RobotModel& model = robot->chosen.robot.model;
  auto planner = Planner::make(model, {.clearance = {.mesh_points = points_of_mesh, .margin = *margin},
                                       .chain = &robot->chosen.chain});
  if (!planner) return planner.error();
  const auto scene = words.has("--scene") ? load_scene(words.text("--scene"), {.model = &model})
                                          : Result<PlanScene>(PlanScene());
  if (!scene) return scene.error();
  planner->set_world(scene->world);
  const PlanResult result = plan_with(*other, *request, *robot, *planner);
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

/// Where to, and what is kept on the way there.
std::vector<Option> goal_options() {
  return {
      {.name = "--to",
       .value_name = "Q…",
       .help =
           "Where to: one number for each joint; for an arm without seven joints also a pose's 7 numbers.",
       .most_values = 64},
      {.name = "--pose",
       .value_name = "X Y Z QW QX QY QZ",
       .help = "Where to: position in m and quaternion of the tip, in the chain's base.",
       .most_values = 7},
      {.name = "--xyz",
       .value_name = "X Y Z",
       .help = "Where to: position of the tip, in the chain's base [m].",
       .most_values = 3},
      {.name = "--rpy",
       .value_name = "R P Y",
       .help = "With --xyz: roll, pitch and yaw [rad]; those of the base unless given.",
       .most_values = 3},
      {.name = "--region",
       .value_name = "HX HY HZ ANGLE",
       .help =
           "The pose is the middle of a region: half extents [m] along its axes, and turned from it by at "
           "most ANGLE [rad].",
       .most_values = 4},
      {.name = "--keep-box",
       .value_name = "X Y Z X Y Z",
       .help = "The tip stays between these two corners, the lowest first, in the chain's base [m].",
       .most_values = 6}};
}

/// Among what, from where, and how.
std::vector<Option> search_options() {
  return {
      {.name = "--scene",
       .value_name = "FILE",
       .help =
           "Obstacles: a world by name, or a file written like world.yaml, with its floor and where it has "
           "the robot. 'link: NAME' on an object: that link carries it.",
       .completion = Completion::File},
      {.name = "--from",
       .value_name = "Q…",
       .help = "Where the joints are; home unless given.",
       .most_values = 64},
      {.name = "--improve",
       .value_name = "S",
       .help = "Look for shorter paths for so long [s]; each is told on stderr.",
       .fallback = "0"},
      {.name = "--level",
       .value_name = "ANGLE",
       .help = "What points up at the tip stays within this angle [rad] of up."},
      {.name = "--margin", .value_name = "M", .help = "Keep at least so far away [m].", .fallback = "0"},
      {.name = "--planner",
       .value_name = "NAME",
       .help = "sinew, or OMPL's planners from both ends on the same proofs: ompl-rrtconnect, ompl-bkpiece, "
               "ompl-lbkpiece, ompl-biest, ompl-sbl.",
       .fallback = "sinew"},
      {.name = "--seed", .value_name = "N", .help = "Of the random numbers.", .fallback = "1"},
      {.name = "--time",
       .value_name = "S",
       .help =
           "Give up after so long [s]; what clearance is lacking is then looked for as long again at most.",
       .fallback = "5"},
      {.name = "--json", .value_name = "", .help = "Print JSON."}};
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
  for (const std::vector<Option>& own : {goal_options(), search_options()}) {
    command.options.insert(command.options.end(), own.begin(), own.end());
  }
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
       .help = "Make problems: shelf, box, table, cage, or all of them; or follow lines of the tool: lines."},
      {.name = "--count", .value_name = "N", .help = "How many of each kind to make.", .fallback = "100"},
      {.name = "--seed", .value_name = "S", .help = "Of the random numbers.", .fallback = "1"},
      {.name = "--time",
       .value_name = "S",
       .help = "Give up on a problem after so long [s].",
       .fallback = "5"},
      {.name = "--rounds",
       .value_name = "N",
       .help = "Plan each problem so often; the shortest time counts.",
       .fallback = "1"},
      {.name = "--out",
       .value_name = "FILE",
       .help = "Write the problems there.",
       .completion = Completion::File},
      {.name = "--csv",
       .value_name = "FILE",
       .help = "Write a line there for each planner and problem, with the reason of each failure.",
       .completion = Completion::File},
      {.name = "--json", .value_name = "", .help = "Print JSON."},
      {.name = "--no-rivals", .value_name = "", .help = "Leave OMPL out."},
      {.name = "--no-judge", .value_name = "", .help = "Do not re-check what is returned with FCL."}};
  command.options.insert(command.options.end(), own.begin(), own.end());
  return command;
}

}  // namespace sinew::cli
