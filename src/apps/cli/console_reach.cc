// SPDX-License-Identifier: BSD-3-Clause
// The console's motions, and Cartesian goals.
#include <ostream>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/time.h"
#include "sinew/kinematics/inverse_kinematics.h"
#include "sinew/kinematics/legacy_mds_ik.h"

#include "apps/cli/command.h"
#include "apps/cli/console_session.h"
#include "apps/cli/console_steer.h"
#include "apps/cli/who_moves.h"

namespace sinew::cli {
namespace {

constexpr std::size_t kComponents = 6;

Result<SerialChain> chain_of(const RobotModel& model, std::size_t arm) {
  return SerialChain::make(model, model.arms[arm].base_link, model.arms[arm].tip_link);
}

std::vector<double> positions_in(const SerialChain& chain, const JointArray& all) {
  std::vector<double> q;
  for (std::size_t i = 0; i < chain.size(); ++i) q.push_back(all[chain.position(i)]);
  return q;
}

JointGoal goal_from(const SerialChain& chain, const JointVector& q) {
  JointGoal goal;
  for (std::size_t i = 0; i < chain.size(); ++i) {
    goal.mask |= std::uint64_t{1} << chain.position(i);
    goal.position[chain.position(i)] = q[static_cast<Eigen::Index>(i)];
  }
  return goal;
}

// The components of the goal: "null" leaves one free.
Status read_components(ConsoleWords words, Request& request) {
  request.component_mask = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "null" || words[i] == "-") continue;
    const auto number = number_from(words[i]);
    if (!number) return number.error();
    request.component_mask |= 1U << i;
    (i < 3 ? request.position[i] : request.rpy[i - 3]) = *number;
  }
  if (request.component_mask == 0) return usage_error("at least one component must be given");
  return Done{};
}

// "ik --legacy left 3 0.3 0.2 0.0"
Result<Request> request_from(ConsoleWords words) {
  Request request{.verb = RequestVerb::MoveTool};
  for (words = words.subspan(1); !words.empty() && words[0].starts_with("--"); words = words.subspan(1)) {
    if (words[0] != "--legacy" && words[0] != "--exact")
      return usage_error(fmt::format("'{}' is not understood here; --legacy or --exact", words[0]));
    (words[0] == "--legacy" ? request.is_legacy : request.is_exact) = 1;
  }
  if (words.size() < 3) return usage_error("'ik ARM DOF P1 … PN', as in 'ik left 3 0.3 0.2 0.0'");
  set_text(request.arm, words[0]);
  const auto count = number_from(words[1]);
  if (!count) return count.error();
  if (*count < 1 || *count > kComponents || *count != static_cast<double>(static_cast<int>(*count)))
    return usage_error(fmt::format("DOF is 1 to {}, not {}", kComponents, words[1]));
  words = words.subspan(2);
  if (words.size() != static_cast<std::size_t>(*count))
    return usage_error(fmt::format("{:.0f} DOF take {:.0f} numbers, not {}: x y z [m] roll pitch yaw [rad]",
                                   *count, *count, words.size()));
  if (Status read = read_components(words, request); !read) return read.error();
  return request;
}

Result<JointVector> solve_legacy(const SerialChain& chain, const Request& goal,
                                 std::span<const double> seed) {
  std::vector<double> components;
  for (std::size_t i = 0; i < kComponents && (goal.component_mask >> i & 1) != 0; ++i)
    components.push_back(i < 3 ? goal.position[i] : goal.rpy[i - 3]);
  const auto result =
      solve_as_mds_did(chain, components, seed, LegacyMdsOptions::for_components(components.size()));
  if (result.is_solved) return result.q;
  return Error{ErrorCode::OutOfLimits, fmt::format("unreachable: not there after {} steps, {:.4f} away",
                                                   result.steps, result.residual)};
}

Result<JointVector> solve_exactly(const RobotModel& model, const SerialChain& chain, const Request& goal,
                                  std::span<const double> seed) {
  const bool is_place = (goal.component_mask >> 3) == 0;
  if (!is_place && goal.component_mask != 63)
    return Error{
        ErrorCode::NotFound,
        "some but not all angles need the motion service, which does not run; 'sinew start' starts it"};
  IkOptions options{.accepted = goal.is_exact != 0 ? PoseTolerance{} : kPoseTolerance};
  for (std::size_t i = 0; i < 3; ++i) {
    options.task.position[i] = (goal.component_mask >> i & 1) != 0;
    options.task.rotation[i] = !is_place;
  }
  const Pose target{.rotation = quaternion_from({goal.rpy[0], goal.rpy[1], goal.rpy[2]}),
                    .position = {goal.position[0], goal.position[1], goal.position[2]}};
  const IkResult result = InverseKinematics(chain).solve(target, seed, options);
  if (result.status == IkStatus::Solved) return result.solutions[0].q;
  return Error{ErrorCode::OutOfLimits, "unreachable: " + explain(result, model, chain)};
}

}  // namespace

Status ConsoleSession::go(const JointGoal& goal) {
  return move_with_dots(goal.mask,
                        [&](const Patience* patience) { return move_joints(robot_, goal, patience); });
}

Status ConsoleSession::ask(const Request& request) {
  return move_with_dots(joints_of_arm(robot_.model(), text_of(request.arm)),
                        [&](const Patience* patience) { return ask_and_wait(robot_, request, patience); });
}

Status ConsoleSession::get_pose(const std::string& name) {
  const auto arm = arm_named(robot_.model(), name);
  if (!arm) return arm.error();
  const auto chain = chain_of(robot_.model(), *arm);
  if (!chain) return chain.error();
  const Pose X_BT = chain->tool_pose(positions_in(*chain, robot_.now().state.position));
  const RollPitchYaw rpy = roll_pitch_yaw(X_BT.rotation);
  out_ << fmt::format("6DOF FK - for  {}  arm\n", name)
       << fmt::format("pos:\tx =  {:.5f} \ty =  {:.5f} \tz =  {:.5f}\n", X_BT.position.x(), X_BT.position.y(),
                      X_BT.position.z())
       << fmt::format("rot:\tx =  {:.5f} \ty =  {:.5f} \tz =  {:.5f}\n", rpy.roll, rpy.pitch, rpy.yaw);
  return Done{};
}

Status ConsoleSession::reach(ConsoleWords words) {
  const auto request = request_from(words);
  if (!request) return request.error();
  const auto arm = arm_named(robot_.model(), text_of(request->arm));
  if (!arm) return arm.error();
  return robot_.has_motion_service() ? ask(*request) : reach_here(*arm, *request);
}

// Without a motion service: solved in this process, from where the arm is, and sent as a joint target. The
// controller guards the way as ever, but nobody looks for a way around.
Status ConsoleSession::reach_here(std::size_t arm, const Request& goal) {
  const RobotModel& model = robot_.model();
  const auto chain = chain_of(model, arm);
  if (!chain) return chain.error();
  fmt::print(stderr, "no motion service runs: solved by the console\n");
  const std::vector<double> seed = positions_in(*chain, robot_.now().processed.position);
  const auto q =
      goal.is_legacy != 0 ? solve_legacy(*chain, goal, seed) : solve_exactly(model, *chain, goal, seed);
  if (!q) return q.error();
  return go(goal_from(*chain, *q));
}

Status ConsoleSession::line(ConsoleWords words) {
  const auto request = line_request_from(robot_.model(), robot_.now().processed.position, words.subspan(1));
  return request ? ask(*request) : Status(request.error());
}

Status ConsoleSession::jog(ConsoleWords words) {
  const auto wish = jog_wish_from(robot_.model(), words.subspan(1));
  if (!wish) return wish.error();
  const std::uint64_t joints =
      wish->frame == JogFrame::Joints ? wish->joint_mask : joints_of_arm(robot_.model(), text_of(wish->arm));
  return move_with_dots(joints, [&](const Patience* patience) { return jog_step(robot_, *wish, patience); });
}

Status ConsoleSession::reach_three(ConsoleWords words) {
  if (words.size() != 5) return usage_error("'ik3 ARM X Y Z'");
  std::vector<std::string> whole{"ik", words[1], "3"};
  whole.insert(whole.end(), words.begin() + 2, words.end());
  return reach(whole);
}

Status ConsoleSession::reach_five(ConsoleWords words) {
  if (words.size() != 7) return usage_error("'ik5 ARM X Y Z RX RY'");
  std::vector<std::string> whole{"ik", words[1], "5"};
  whole.insert(whole.end(), words.begin() + 2, words.end());
  return reach(whole);
}

}  // namespace sinew::cli
