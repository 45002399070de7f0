// SPDX-License-Identifier: BSD-3-Clause
// sinew fk | ik
#include "apps/cli/kinematics_commands.h"

#include <cmath>
#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/base/text.h"
#include "sinew/base/time.h"
#include "sinew/kinematics/inverse_kinematics.h"
#include "sinew/messages/decode.h"

#include "apps/cli/robot_choice.h"

namespace sinew::cli {
namespace {

/// Nought without a sign.
double unsigned_nought(double value) {
  return value == 0.0 ? 0.0 : value;
}

/// Six decimals, and nought without a sign.
std::string fixed_text(double value, int width = 0) {
  return fmt::format("{:>{}.6f}", std::abs(value) < 0.5e-6 ? 0.0 : value, width);
}

std::string json_of_pose(const Pose& X_BT) {
  const RollPitchYaw rpy = roll_pitch_yaw(X_BT.rotation);
  const Vector3& p = X_BT.position;
  const Quaternion& R = X_BT.rotation;
  std::vector<double> numbers = {p.x(), p.y(), p.z(),    R.w(),     R.x(),
                                 R.y(), R.z(), rpy.roll, rpy.pitch, rpy.yaw};
  for (double& number : numbers) number = unsigned_nought(number);
  const auto list = [&](int from, int to) {
    return fmt::join(numbers.begin() + from, numbers.begin() + to, ", ");
  };
  return fmt::format(
      "{{\"position\": [{}], \"quaternion\": {{\"w\": {}, \"x\": {}, \"y\": {}, \"z\": {}}}, \"rpy\": [{}]}}",
      list(0, 3), numbers[3], numbers[4], numbers[5], numbers[6], list(7, 10));
}

std::string text_of_pose(const Pose& X_BT) {
  const RollPitchYaw rpy = roll_pitch_yaw(X_BT.rotation);
  return fmt::format(
      "position    x {}  y {}  z {} m\nquaternion  w {}  x {}  y {}  z {}\n"
      "rotation    roll {}  pitch {}  yaw {}\n",
      fixed_text(X_BT.position.x()), fixed_text(X_BT.position.y()), fixed_text(X_BT.position.z()),
      fixed_text(X_BT.rotation.w()), fixed_text(X_BT.rotation.x()), fixed_text(X_BT.rotation.y()),
      fixed_text(X_BT.rotation.z()), angle_text(rpy.roll), angle_text(rpy.pitch), angle_text(rpy.yaw));
}

Status check_count(const ChosenChain& chosen, std::size_t count, std::string_view what) {
  if (count == chosen.chain.size()) return Done{};
  return usage_error(fmt::format("{} takes {} numbers, not {}: {}", what, chosen.chain.size(), count,
                                 variables_text(chosen)));
}

Status run_fk(const Words& words, std::ostream& out) {
  const auto chosen = choose_chain(words);
  if (!chosen) return chosen.error();
  std::vector<double> q;
  for (const std::string& word : words.arguments()) {
    const auto number = number_from(word);
    if (!number) return number.error();
    q.push_back(*number);
  }
  if (Status counted = check_count(*chosen, q.size(), "'sinew fk'"); !counted) return counted;
  const Pose X_BT = chosen->chain.tool_pose(q);
  out << (words.has("--json") ? json_of_pose(X_BT) + "\n" : text_of_pose(X_BT));
  return Done{};
}

// --pose x y z qw qx qy qz, or --xyz with or without --rpy
Result<Pose> target_from(const Words& words) {
  const auto pose = words.numbers("--pose");
  const auto xyz = words.numbers("--xyz");
  const auto rpy = words.numbers("--rpy");
  if (!pose) return pose.error();
  if (!xyz) return xyz.error();
  if (!rpy) return rpy.error();
  if (words.has("--pose") == words.has("--xyz"))
    return usage_error("say where to: --pose x y z qw qx qy qz, or --xyz x y z [--rpy roll pitch yaw]");
  if (words.has("--pose") && pose->size() != 7)
    return usage_error(fmt::format("--pose takes 7 numbers (x y z qw qx qy qz), not {}", pose->size()));
  if (words.has("--xyz") && xyz->size() != 3)
    return usage_error(fmt::format("--xyz takes 3 numbers, not {}", xyz->size()));
  if (words.has("--rpy") && rpy->size() != 3)
    return usage_error(fmt::format("--rpy takes 3 numbers, not {}", rpy->size()));
  if (words.has("--xyz")) {
    const RollPitchYaw angles =
        words.has("--rpy") ? RollPitchYaw{(*rpy)[0], (*rpy)[1], (*rpy)[2]} : RollPitchYaw{};
    return Pose{.rotation = quaternion_from(angles), .position = {(*xyz)[0], (*xyz)[1], (*xyz)[2]}};
  }
  const Quaternion rotation((*pose)[3], (*pose)[4], (*pose)[5], (*pose)[6]);
  if (std::abs(rotation.norm() - 1.0) > 1e-3)
    return usage_error(fmt::format("the quaternion of --pose has length {:.6f}, not 1", rotation.norm()));
  return Pose{.rotation = rotation.normalized(), .position = {(*pose)[0], (*pose)[1], (*pose)[2]}};
}

Result<PoseTask> task_from(const Words& words) {
  const TaskAxes axes = words.has("--tool-axes") ? TaskAxes::Tool : TaskAxes::Base;
  if (words.has("--dof")) return pose_task_from_text(words.text("--dof"), axes);
  PoseTask task{.axes = axes};
  // a place without an orientation
  if (words.has("--xyz") && !words.has("--rpy")) task.rotation = {false, false, false};
  return task;
}

std::string_view method_text(IkMethod method) {
  switch (method) {
    case IkMethod::ClosedForm:
      return "closed form";
    case IkMethod::Numerical:
      return "numerical";
    case IkMethod::None:
      break;
  }
  return "none";
}

std::string solution_json(JointVector q) {
  for (double& value : q) value = unsigned_nought(value);
  return fmt::format("[{}]", fmt::join(q.data(), q.data() + q.size(), ", "));
}

constexpr double kShownError = 1e-6;  // [m, rad]

struct Answer {
  IkResult result;
  double time_us = 0.0;
  std::size_t shown = 1;  ///< Solutions to print at most.
};

void print_json(const Answer& answer, const std::string& reason, std::ostream& out) {
  std::string solutions;
  for (std::size_t i = 0; i < std::min(answer.shown, answer.result.solutions.size()); ++i)
    solutions += fmt::format("{}{}", i > 0 ? ", " : "", solution_json(answer.result.solutions[i].q));
  out << fmt::format(
      "{{\"ok\": {}, \"reason\": {}, \"solutions\": [{}], \"residual\": {{\"position\": {}, \"rotation\": "
      "{}}}, "
      "\"time_us\": {:.3f}, \"method\": \"{}\", \"nearest\": {}}}\n",
      answer.result.status == IkStatus::Solved, json_text(reason), solutions, answer.result.position_error,
      answer.result.rotation_error, answer.time_us, method_text(answer.result.method),
      solution_json(answer.result.nearest));
}

void print_text(const ChosenChain& chosen, const Answer& answer, std::ostream& out) {
  for (std::size_t i = 0; i < std::min(answer.shown, answer.result.solutions.size()); ++i) {
    out << fmt::format("solution {} of {} ({}, {:.1f} us)\n", i + 1, answer.result.solutions.size(),
                       method_text(answer.result.method), answer.time_us);
    const IkSolution& solution = answer.result.solutions[i];
    if (solution.position_error > kShownError || solution.rotation_error > kShownError)
      out << fmt::format("  misses the pose by {} and {}, within what is accepted\n",
                         length_text(solution.position_error), angle_text(solution.rotation_error));
    for (std::size_t k = 0; k < chosen.chain.size(); ++k) {
      const double value = answer.result.solutions[i].q[static_cast<Eigen::Index>(k)];
      out << fmt::format("  {:<24} {}  {}\n", chosen.robot.model.joints[chosen.chain.joint(k)].name,
                         fixed_text(value, 10),
                         chosen.chain.is_revolute(k) ? angle_text(value) : length_text(value));
    }
  }
}

Status run_ik(const Words& words, std::ostream& out) {
  const auto chosen = choose_chain(words);
  if (!chosen) return chosen.error();
  const auto target = target_from(words);
  if (!target) return target.error();
  const auto task = task_from(words);
  if (!task) return task.error();
  auto start = words.numbers("--start");
  if (!start) return start.error();
  const JointVector middle = chosen->chain.middle();
  if (!words.has("--start")) start->assign(middle.data(), middle.data() + middle.size());
  if (Status counted = check_count(*chosen, start->size(), "--start"); !counted) return counted;

  const InverseKinematics solver(chosen->chain);
  const IkOptions options{.task = *task,
                          .accept_nearest_orientation = words.has("--nearest"),
                          .accepted = words.has("--exact") ? PoseTolerance{} : kPoseTolerance};
  const std::int64_t begun_ns = monotonic_now_ns();
  Answer answer{.result = solver.solve(*target, *start, options), .shown = words.has("--all") ? SIZE_MAX : 1};
  answer.time_us = static_cast<double>(monotonic_now_ns() - begun_ns) * 1e-3;
  const bool is_solved = answer.result.status == IkStatus::Solved;
  const std::string reason = is_solved ? "" : explain(answer.result, chosen->robot.model, chosen->chain);
  if (words.has("--json")) {
    print_json(answer, reason, out);
  } else if (is_solved) {
    print_text(*chosen, answer, out);
  }
  if (is_solved) return Done{};
  return Error{ErrorCode::OutOfLimits, fmt::format("'{}' cannot be put there: {}", chosen->tip, reason)};
}

}  // namespace

Command fk_command() {
  Command command{
      .name = "fk",
      .summary = "Where a robot's tip is, from its joint positions",
      .details =
          "The pose is that of the tip in the chain's base frame. Joint positions are in rad and m, in the "
          "order of the chain.",
      .arguments =
          {{.name = "Q", .help = "One number for each joint.", .is_optional = true, .is_repeated = true}},
      .options = chain_options(),
      .examples = {"sinew fk --robot ur5e -- 0 -1.57 1.57 0 0 0",
                   "sinew fk --urdf arm.urdf --tip tool0 --json -- 0 0 0 0 0 0"},
      .run = run_fk,
  };
  command.options.push_back({.name = "--json", .value_name = "", .help = "Print JSON."});
  return command;
}

Command ik_command() {
  Command command{
      .name = "ik",
      .summary = "Which joint positions bring a robot's tip to a pose",
      .details =
          "Solutions keep the joints' limits; the nearest to --start comes first. When there is none, it "
          "says why.",
      .options = chain_options(),
      .examples = {"sinew ik --robot ur5e --pose 0.4 0.1 0.3 0 1 0 0 --all",
                   "sinew ik --robot mds --arm left --xyz 0.3 0.2 0.0",
                   "sinew ik --urdf arm.urdf --tip tool0 --xyz 0.4 0 0.3 --rpy 3.14 0 0 --json"},
      .run = run_ik,
  };
  const std::vector<Option> own{
      {.name = "--pose",
       .value_name = "X Y Z QW QX QY QZ",
       .help = "Where to: position in m and quaternion.",
       .most_values = 7},
      {.name = "--xyz",
       .value_name = "X Y Z",
       .help = "Where to: position in m; the orientation is free without --rpy.",
       .most_values = 3},
      {.name = "--rpy",
       .value_name = "R P Y",
       .help = "Roll, pitch and yaw in rad, R = Rz Ry Rx.",
       .most_values = 3},
      {.name = "--dof",
       .value_name = "LIST",
       .help = "Only these components, as in \"p_x p_y p_z t_x\"; the rest is free.",
       .most_values = 6},
      {.name = "--tool-axes",
       .value_name = "",
       .help = "The components of --dof are along the target's axes, not the base's."},
      {.name = "--nearest",
       .value_name = "",
       .help = "An arm that cannot take the orientation gets as near as it can."},
      {.name = "--exact",
       .value_name = "",
       .help = "Only what is exact will do; else within 0.1 mm and 0.1 deg, and the residual is told."},
      {.name = "--start",
       .value_name = "Q…",
       .help = "Where the joints are; mid-range unless given.",
       .most_values = 64},
      {.name = "--all", .value_name = "", .help = "All solutions, not only the nearest."},
      {.name = "--json", .value_name = "", .help = "Print JSON."}};
  command.options.insert(command.options.end(), own.begin(), own.end());
  return command;
}

}  // namespace sinew::cli
