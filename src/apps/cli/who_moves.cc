// SPDX-License-Identifier: BSD-3-Clause
#include "apps/cli/who_moves.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/base/fixed_string.h"
#include "sinew/channels/inspect.h"
#include "sinew/kinematics/serial_chain.h"

namespace sinew::cli {
namespace {

/// Sent this near to what is wanted, and at rest, a joint is there [rad, m; per second].
constexpr double kIsThere = 1e-6;
/// The motion service halts joints by a reference of its own; whom it serves is told by requests.
constexpr std::string_view kMotionService = "motion";

bool moves_something(RequestVerb verb) {
  switch (verb) {
    case RequestVerb::MoveJoints:
    case RequestVerb::MoveTool:
    case RequestVerb::MoveLine:
    case RequestVerb::MoveCircle:
    case RequestVerb::Trajectory:
    case RequestVerb::RunProgram:
    case RequestVerb::StepProgram:
    case RequestVerb::FollowMaster:
    case RequestVerb::MoveGripper:
    case RequestVerb::MoveTarget:
    case RequestVerb::MotorMove:
    case RequestVerb::MotorSpeed:
      return true;
    default:
      return false;
  }
}

bool is_program(RequestVerb verb) {
  return verb == RequestVerb::RunProgram || verb == RequestVerb::StepProgram;
}

std::uint64_t joints_of(const RobotModel& model, const Request& request) {
  if (request.verb == RequestVerb::MoveJoints) return request.joint_mask;
  return joints_of_arm(model, text_of(request.arm));
}

/// All messages that a channel still keeps, with their numbers.
template <class Message>
void read_all(const std::string& channel, const std::string& space, std::vector<Message>& messages,
              std::vector<std::uint64_t>* numbers = nullptr) {
  auto reader =
      Reader<Message>::open({.name = channel, .space = space, .may_create = false}, SINEW_START_OLDEST);
  Frame<Message> frame;
  while (reader && reader->read_next(frame) == SINEW_OK) {
    messages.push_back(frame.message);
    if (numbers != nullptr) numbers->push_back(frame.info.sequence);
  }
}

void add_mover(std::vector<std::string>& names, std::string_view name, const RobotLink& robot) {
  if (name.empty() || name == robot.who() || std::ranges::find(names, name) != names.end()) return;
  names.emplace_back(name);
}

void add_requesters(RobotLink& robot, std::uint64_t joint_mask, std::vector<std::string>& names) {
  const auto motion = robot.motion_state();
  if (!robot.has_motion_service() || !motion) return;
  const bool runs_program = motion->program_phase == ProgramPhase::Running;
  if (motion->phase == MotionPhase::Idle && !runs_program) return;
  std::vector<Request> requests;
  std::vector<std::uint64_t> numbers;
  std::vector<Reply> replies;
  read_all(robot.name() + "/request", robot.space(), requests, &numbers);
  read_all(robot.name() + "/reply", robot.space(), replies);
  for (const OpenRequest& open : open_requests(robot.model(), numbers, requests, replies))
    if ((open.joint_mask & joint_mask) != 0) add_mover(names, open.who, robot);
}

void add_jogger(RobotLink& robot, std::uint64_t joint_mask, std::vector<std::string>& names) {
  const auto state = robot.jog_state();
  if (!state || (state->phase != JogPhase::Moving && state->phase != JogPhase::Slowed)) return;
  auto wishes =
      Reader<JogWish>::open({.name = robot.name() + "/jog", .space = robot.space(), .may_create = false});
  Frame<JogWish> wish;
  const bool is_known =
      wishes && wishes->read_newest(wish) == SINEW_OK && text_of(wish.message.who) == text_of(state->who);
  const std::uint64_t jogged = !is_known ? ~std::uint64_t{0}
                               : wish.message.frame == JogFrame::Joints
                                   ? wish.message.joint_mask
                                   : joints_of_arm(robot.model(), text_of(wish.message.arm));
  if ((jogged & joint_mask) != 0) add_mover(names, text_of(state->who), robot);
}

/// Whether the joint is on its way to where it is wanted.
bool is_under_way(const JointCommand& command, std::size_t joint) {
  return std::abs(command.velocity[joint]) > kIsThere ||
         (std::abs(command.position[joint] - command.wanted[joint]) > kIsThere &&
          (command.held_mask >> joint & 1) == 0);
}

void add_references(RobotLink& robot, std::uint64_t joint_mask, std::vector<std::string>& names) {
  const JointCommand& command = robot.now().processed;
  const std::string folder = robot.name() + "/ref";
  for (const std::string& channel : channels::channel_names(robot.space(), folder)) {
    const std::string who = channel.substr(channel.rfind('/') + 1);
    auto reader = Reader<JointReference>::open(
        {.name = folder + "/" + who, .space = robot.space(), .may_create = false});
    Frame<JointReference> newest;
    if (who == kMotionService || !reader || reader->read_newest(newest) != SINEW_OK) continue;
    // joints that yield to whoever pushes them are nobody's motion
    if (newest.message.smoothing == Smoothing::Compliant && newest.message.lease_ns > 0) continue;
    for (std::size_t i = 0; i < robot.model().positions.size(); ++i) {
      const bool is_meant = ((newest.message.joint_mask & joint_mask) >> i & 1) != 0;
      if (is_meant && command.wanted[i] == newest.message.position[i] && is_under_way(command, i))
        add_mover(names, who, robot);
    }
  }
}

}  // namespace

std::uint64_t joints_of_arm(const RobotModel& model, std::string_view arm) {
  const std::size_t found = model.arms.size() == 1 && arm.empty() ? 0 : find_arm(model, arm);
  if (found == kNone) return ~std::uint64_t{0};
  const auto chain = SerialChain::make(model, model.arms[found].base_link, model.arms[found].tip_link);
  if (!chain) return ~std::uint64_t{0};
  std::uint64_t mask = 0;
  for (std::size_t i = 0; i < chain->size(); ++i) mask |= std::uint64_t{1} << chain->position(i);
  return mask;
}

std::vector<OpenRequest> open_requests(const RobotModel& model, std::span<const std::uint64_t> numbers,
                                       std::span<const Request> requests, std::span<const Reply> replies) {
  std::vector<OpenRequest> open;
  for (std::size_t k = 0; k < requests.size(); ++k) {
    if (!moves_something(requests[k].verb)) continue;
    OpenRequest one{.number = numbers[k],
                    .who = std::string(text_of(requests[k].who)),
                    .joint_mask = joints_of(model, requests[k])};
    bool is_over = false;
    for (const Reply& reply : replies) {
      if (reply.request != one.number) continue;
      is_over |= reply.status != ReplyStatus::Accepted;
      // of a program that is its present move
      if (reply.joint_mask != 0 && !is_program(requests[k].verb)) one.joint_mask = reply.joint_mask;
    }
    if (!is_over) open.push_back(std::move(one));
  }
  return open;
}

std::vector<std::string> who_moves(RobotLink& robot, std::uint64_t joint_mask) {
  std::vector<std::string> names;
  add_requesters(robot, joint_mask, names);
  add_jogger(robot, joint_mask, names);
  add_references(robot, joint_mask, names);
  return names;
}

std::string quoted(std::span<const std::string> names) {
  std::vector<std::string> all;
  for (const std::string& name : names) all.push_back(fmt::format("'{}'", name));
  return fmt::format("{}", fmt::join(all, ", "));
}

}  // namespace sinew::cli
