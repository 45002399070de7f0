// SPDX-License-Identifier: BSD-3-Clause
// What is asked of the motion service, and what of it is refused.
#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/text.h"
#include "sinew/motion/motion_service.h"
#include "sinew/motion/object_text.h"

namespace sinew {
namespace {

constexpr double kSlowest = 0.001;
constexpr double kLimitSlack = 1e-9;  // [rad, m]

std::string position_words(const Joint& joint, double position) {
  return joint.kind == JointKind::Prismatic ? length_text(position) : angle_text(position);
}

}  // namespace

void MotionService::take_request(std::uint64_t number, const Request& request, std::int64_t now_ns) {
  const Status allowed = ownership_.allows(request);
  switch (request.verb) {
    case RequestVerb::MoveJoints:
    case RequestVerb::MoveTool:
    case RequestVerb::MoveLine:
    case RequestVerb::MoveCircle:
    case RequestVerb::MoveGripper:
      return take_move({.number = number, .request = request}, now_ns);
    case RequestVerb::Trajectory:
      return take_trajectory(number, request, now_ns);
    case RequestVerb::Solve:
      return take_solve(number, request, now_ns);
    case RequestVerb::Stop:
      return take_stop(number, request, now_ns);
    case RequestVerb::TakeControl:
      return take_control(number, request, now_ns);
    default:
      break;
  }
  if (!allowed) return refuse(number, allowed.error().message, now_ns);
  switch (request.verb) {
    case RequestVerb::AddObject:
      return add_object(number, request, now_ns);
    case RequestVerb::RemoveObject:
      return remove_object(number, request, now_ns);
    case RequestVerb::Pause:
      return pause(number, now_ns);
    case RequestVerb::Resume:
      return resume(number, request, now_ns);
    case RequestVerb::SetOverride:
      return set_override(number, request, now_ns);
    case RequestVerb::LeaveControl:
      return leave_control(number, now_ns);
    default:
      return refuse(number, fmt::format("there is no verb {}", static_cast<std::uint32_t>(request.verb)),
                    now_ns);
  }
}

void MotionService::take_step(std::uint64_t number, std::uint64_t step, const Request& request,
                              std::int64_t now_ns) {
  take_move({.number = number, .step = step, .request = request}, now_ns);
}

void MotionService::take_step(std::uint64_t number, std::uint64_t step, const Request& request,
                              PlannedMotion motion, std::int64_t now_ns) {
  take_move({.number = number, .step = step, .request = request, .given = std::move(motion)}, now_ns);
}

void MotionService::end_step(std::uint64_t step, const std::string& why, std::int64_t now_ns) {
  abort_if([&](const Motion& motion) { return motion.step == step; }, why, now_ns);
}

std::optional<double> MotionService::step_time(std::uint64_t step, std::int64_t now_ns) const {
  for (const Motion& motion : queue_.all())
    if (motion.step == step && !motion.is_over) return motion.progress.nominal_at(now_ns);
  return std::nullopt;
}

std::uint64_t MotionService::moving_mask() const {
  std::uint64_t mask = 0;
  for (const Motion& motion : queue_.all())
    if (motion.stage != Stage::Queued) mask |= motion.joint_mask;
  return mask;
}

void MotionService::abort_open(std::uint64_t number, std::int64_t now_ns) {
  answer(number, ReplyStatus::Aborted, "the motion service was started anew; ask again", now_ns);
  has_predecessor_ = true;
}

void MotionService::refuse_lost(std::uint64_t number, std::int64_t now_ns) {
  refuse(number, "overwritten by newer requests before it could be read; ask more slowly", now_ns);
}

void MotionService::refuse(std::uint64_t number, const std::string& why, std::int64_t now_ns) {
  ++refusals_;
  answer(number, ReplyStatus::Refused, why, now_ns);
}

void MotionService::refuse(Motion& motion, const std::string& why, std::int64_t now_ns) {
  ++refusals_;
  answer(motion, ReplyStatus::Refused, why, now_ns);
}

Result<const ArmSolver*> MotionService::arm_of(const Request& request) {
  const std::string arm(text_of(request.arm));
  const std::string tool(text_of(request.tool));
  const auto known = arms_.find({arm, tool});
  if (known != arms_.end()) return known->second.get();
  auto made = ArmSolver::make(model_, arm, tool);
  if (!made) return made.error();
  return arms_.emplace(std::pair(arm, tool), *std::move(made)).first->second.get();
}

Status MotionService::check_joints(const Request& request) const {
  const std::size_t count = model_.positions.size();
  const std::uint64_t all = ~std::uint64_t{0} >> (kMaxJoints - count);
  if (request.joint_mask == 0 || (request.joint_mask & ~all) != 0)
    return Error{
        ErrorCode::InvalidInput,
        fmt::format("joint_mask {:#x} names no joint, or one that the robot does not have: it has {}",
                    request.joint_mask, count)};
  for (std::size_t i = 0; i < count; ++i) {
    if ((request.joint_mask >> i & 1) == 0) continue;
    const Joint& joint = model_.joints[model_.positions[i]];
    const double wanted = request.joints[i];
    if (!std::isfinite(wanted))
      return Error{ErrorCode::InvalidInput,
                   fmt::format("joint '{}' is wanted at no finite number", joint.name)};
    if (wanted < joint.limits.lower - kLimitSlack || wanted > joint.limits.upper + kLimitSlack)
      return Error{ErrorCode::OutOfLimits,
                   fmt::format("joint '{}' cannot go to {}: its limits are {} to {}", joint.name,
                               position_words(joint, wanted), position_words(joint, joint.limits.lower),
                               position_words(joint, joint.limits.upper))};
  }
  return Done{};
}

// What must be right before anything moves; finds the arm and its joints.
Status MotionService::check_move(Motion& motion, std::int64_t now_ns) {
  const Request& request = motion.request;
  if (const Status ready = robot_.is_ready(now_ns); !ready) return ready;
  if (motion.given) return check_given(motion);
  if (motion.points) return check_points(motion);
  if (!(request.speed >= kSlowest && request.speed <= 1.0))
    return Error{
        ErrorCode::OutOfLimits,
        fmt::format("speed {} cannot be: it is a share of the limits, {} to 1", request.speed, kSlowest)};
  if (request.frame > RequestFrame::User)
    return Error{ErrorCode::InvalidInput,
                 fmt::format("there is no frame {}: 0 is the base, 1 the tool, 2 one of your own",
                             static_cast<unsigned>(request.frame))};
  if (const Status timed = check_timing(request); !timed) return timed;
  if (request.verb == RequestVerb::MoveGripper) {
    if (const Status checked = check_gripper(motion); !checked) return checked;
  } else if (request.verb == RequestVerb::MoveJoints) {
    motion.joint_mask = request.joint_mask;
    if (const Status checked = check_joints(request); !checked) return checked;
  } else {
    const auto arm = arm_of(request);
    if (!arm) return arm.error();
    motion.arm = *arm;
    motion.joint_mask = (*arm)->joint_mask();
    if (const auto goal = (*arm)->goal_of(request, robot_.sent()); !goal) return goal.error();
    if (is_tool_path(request))
      if (const auto move = move_of(request, **arm, robot_.sent()); !move) return move.error();
  }
  return check_enabled(motion.joint_mask);
}

Status MotionService::check_enabled(std::uint64_t joint_mask) const {
  const std::uint64_t unused = joint_mask & ~enabled_mask_;
  if (unused == 0) return Done{};
  const auto joint = static_cast<std::size_t>(std::countr_zero(unused));
  if (joint >= model_.positions.size())
    return Error{ErrorCode::InvalidInput,
                 fmt::format("joint_mask {:#x} names a joint that the robot does not have: it has {}",
                             joint_mask, model_.positions.size())};
  return Error{ErrorCode::Denied, fmt::format("joint '{}' has no motor in use; see 'enabled' in robot.yaml",
                                              model_.joints[model_.positions[joint]].name)};
}

// Its limits are looked at when it begins to be played.
Status MotionService::check_given(Motion& motion) const {
  const PlannedMotion& given = *motion.given;
  motion.joint_mask = given.joint_mask;
  const auto count = static_cast<std::size_t>(std::popcount(given.joint_mask));
  const bool fits = count > 0 && given.goal.size() == model_.positions.size() &&
                    (given.trajectory.piece_count() == 0 || given.trajectory.joint_count() == count);
  if (!fits)
    return Error{ErrorCode::InvalidInput,
                 fmt::format("a planned motion of {} joints, with {} in its mask and a goal of {} positions, "
                             "does not fit this robot",
                             given.trajectory.joint_count(), count, given.goal.size())};
  return check_enabled(given.joint_mask);
}

// Whether it may begin now, or wait.
Status MotionService::check_order(const Request& request) const {
  if (const Status allowed = ownership_.allows(request); !allowed) return allowed;
  if (request.order == RequestOrder::Now) return Done{};
  if (request.order == RequestOrder::After) return queue_.may_wait(request);
  return Error{ErrorCode::InvalidInput,
               fmt::format("there is no order {}: 0 is now, 1 after all that was asked for before",
                           static_cast<unsigned>(request.order))};
}

void MotionService::take_move(Motion asked, std::int64_t now_ns) {
  asked.asked_ns = now_ns;
  Status may = check_order(asked.request);
  if (may && asked.request.order == RequestOrder::Now) queue_.forgive(text_of(asked.request.who));
  if (may) may = check_move(asked, now_ns);
  // a program, whose step it may be, stands still by itself
  if (may && asked.step == 0) may = check_hold(asked.request, now_ns);
  if (!may) return refuse(asked, may.error().message, now_ns);
  if (asked.request.order == RequestOrder::Now) {
    replace(asked, now_ns);
    queue_.forgive(text_of(asked.request.who));
  }
  Motion& motion = queue_.add(std::move(asked));
  if (motion.stage != Stage::Queued) return;
  const std::size_t before = queue_.due_before(motion);
  answer(motion, ReplyStatus::Accepted,
         fmt::format("waits for {} request{} before it", before, before > 1 ? "s" : ""), now_ns);
}

// Ends what has or wants the joints of a newer motion.
void MotionService::replace(const Motion& newer, std::int64_t now_ns) {
  const std::string why =
      fmt::format("replaced by request {} of '{}'", newer.number, text_of(newer.request.who));
  abort_if([&](const Motion& other) { return (other.joint_mask & newer.joint_mask) != 0; }, why, now_ns);
}

void MotionService::take_solve(std::uint64_t number, const Request& request, std::int64_t now_ns) {
  Motion motion{.number = number, .request = request};
  motion.request.speed = 1.0;
  if (const Status may = check_move(motion, now_ns); !may) return refuse(number, may.error().message, now_ns);
  const ArmSolver& arm = *motion.arm;
  const auto goal = arm.goal_of(request, robot_.sent());
  const ArmAnswer found = arm.solve(*goal, arm.own_joints(robot_.sent()), arm.own_joints(home_));
  const bool is_solved = !found.candidates.empty();
  Reply& reply = answer(number, is_solved ? ReplyStatus::Done : ReplyStatus::Unreachable,
                        is_solved ? "solved" : found.words, now_ns);
  reply.steps = found.steps;
  reply.position_error = found.error.position;
  reply.rotation_error = found.error.rotation;
  // without a solution, the nearest that could be found
  reply.joint_mask = motion.joint_mask;
  for (std::size_t i = 0; i < arm.chain().size(); ++i)
    reply.joints[arm.chain().position(i)] = found.nearest[static_cast<Eigen::Index>(i)];
}

void MotionService::take_stop(std::uint64_t number, const Request& request, std::int64_t now_ns) {
  const std::string why = fmt::format("stopped by request {} of '{}'", number, text_of(request.who));
  const std::size_t count = abort_if([](const Motion&) { return true; }, why, now_ns);
  is_paused_ = false;
  answer(number, ReplyStatus::Done,
         count == 0 ? "nothing was being done"
                    : fmt::format("stopping {} motion{}", count, count > 1 ? "s" : ""),
         now_ns);
}

Status MotionService::take_world(const World& world) {
  return use_world(std::make_unique<World>(world));
}

// Takes the world over only when all of it can be understood.
Status MotionService::use_world(std::unique_ptr<World> world) {
  auto in_use = read_world(*world, model_, world_in_use_.get());
  if (!in_use) return in_use.error();
  if (const Status fits = routes_->set_world((*in_use)->obstacles); !fits) return fits.error();
  moves_.set_world((*in_use)->obstacles);
  world_ = std::move(world);
  world_in_use_ = *std::move(in_use);
  ++world_number_;
  return Done{};
}

void MotionService::add_object(std::uint64_t number, const Request& request, std::int64_t now_ns) {
  auto object = object_from_text(text_of(request.text));
  if (!object) return refuse(number, object.error().message, now_ns);
  if (const Status hashed = set_file_hash(*object); !hashed)
    return refuse(number, fmt::format("object '{}': {}", text_of(object->name), hashed.error().message),
                  now_ns);
  auto world = std::make_unique<World>(*world_);
  world->stamp_ns = now_ns;
  const auto was_there = put_object(*world, *object);
  if (!was_there) return refuse(number, was_there.error().message, now_ns);
  if (const Status used = use_world(std::move(world)); !used)
    return refuse(number, used.error().message, now_ns);
  collected_.has_new_world = true;
  look_at_ways(now_ns);
  std::string words = fmt::format("{} {}", text_of(object->name), *was_there ? "replaced" : "added");
  const auto& shapes = world_in_use_->shapes;
  const auto shape = std::ranges::find_if(shapes, [&](const auto& s) { return s->is_of(*object); });
  if (shape != shapes.end()) words += fmt::format(" as {}", shape_text(**shape));
  if (robot_.is_ready(now_ns)) {
    const CheckResult nearest = routes_->nearest(robot_.sent());
    if (nearest.verdict == Verdict::TooNear)
      words += fmt::format("; now {} is {} from {}",
                           routes_->name_of(nearest.contact.link_a, nearest.contact.object_a),
                           length_text(nearest.contact.distance),
                           routes_->name_of(nearest.contact.link_b, nearest.contact.object_b));
  }
  answer(number, ReplyStatus::Done, words, now_ns);
}

void MotionService::remove_object(std::uint64_t number, const Request& request, std::int64_t now_ns) {
  const std::string_view name = text_of(request.text);
  auto world = std::make_unique<World>(*world_);
  world->stamp_ns = now_ns;
  if (const Status taken = take_object(*world, name); !taken)
    return refuse(number, taken.error().message, now_ns);
  if (const Status used = use_world(std::move(world)); !used)
    return refuse(number, used.error().message, now_ns);
  collected_.has_new_world = true;
  look_at_ways(now_ns);
  answer(number, ReplyStatus::Done, fmt::format("{} removed", name), now_ns);
}

}  // namespace sinew
