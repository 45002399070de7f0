// SPDX-License-Identifier: BSD-3-Clause
// What is being done, step by step; motion_requests.cc takes what is asked.
#include "sinew/motion/motion_service.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/text.h"
#include "sinew/model/positions.h"

namespace sinew {
namespace {

/// Until the controller has begun with it, `safety` may still tell of an older conflict.
constexpr std::int64_t kUntilTaken_ns = 80 * kMillisecond_ns;

bool is_in(std::uint64_t joint_mask, std::size_t joint) {
  return (joint_mask >> joint & 1) != 0;
}

/// Until the first piece begins: it must be there before.
constexpr std::int64_t kLead_ns = 60 * kMillisecond_ns;

void write_polynomial(const Coefficients& c, std::size_t joint, Segment& segment) {
  segment.c0[joint] = c[0];
  segment.c1[joint] = c[1];
  segment.c2[joint] = c[2];
  segment.c3[joint] = c[3];
  segment.c4[joint] = c[4];
  segment.c5[joint] = c[5];
}

std::string way_words(const std::vector<Posture>& stops, double duration) {
  if (stops.size() == 1) return fmt::format("on its way, {:.1f} s", duration);
  return fmt::format("on its way, {:.1f} s, over {} intermediate posture{}", duration, stops.size() - 1,
                     stops.size() > 2 ? "s" : "");
}

}  // namespace

Result<std::unique_ptr<MotionService>> MotionService::make(const RobotModel& model,
                                                           const MotionSettings& settings) {
  if (model.positions.size() > kMaxJoints)
    return Error{ErrorCode::OutOfLimits, fmt::format("robot '{}' has {} joints; at most {}", model.name,
                                                     model.positions.size(), kMaxJoints)};
  auto routes = RouteFinder::make(model, settings.margin, settings.mesh_points);
  if (!routes) return routes.error();
  return std::unique_ptr<MotionService>(new MotionService(model, settings, *std::move(routes)));
}

MotionService::MotionService(const RobotModel& model, const MotionSettings& settings,
                             std::unique_ptr<RouteFinder> routes)
    : model_(model),
      settings_(settings),
      enabled_mask_(enabled_mask(model)),
      home_(starting_positions(model)),
      routes_(std::move(routes)),
      world_(std::make_unique<World>()),
      robot_(model) {}

void MotionService::take_safety(const Safety& safety, std::int64_t now_ns) {
  robot_.take(safety);
  std::erase_if(motions_, [&](const Motion& motion) {
    const bool is_moving = motion.phase == Phase::Moving || motion.phase == Phase::Settling;
    if (is_moving && safety.refused_motion == motion.number) {
      answer(motion, ReplyStatus::Aborted,
             "the controller refused it: its joints were moved meanwhile; ask again", now_ns);
      return true;
    }
    const bool is_held = is_moving && !motion.planned && (safety.held_mask & motion.joint_mask) != 0 &&
                         safety.stamp_ns > motion.began_ns + kUntilTaken_ns;
    if (!is_held) return false;
    answer(motion, ReplyStatus::Blocked, robot_.held_words(), now_ns);
    return true;
  });
}

const MotionOutput& MotionService::step(std::int64_t now_ns) {
  if (const Status ready = robot_.is_ready(now_ns); !ready) abort_all(ready.error().message, now_ns);
  for (Motion& motion : motions_) motion.is_over = advance(motion, now_ns);
  std::erase_if(motions_, [](const Motion& motion) { return motion.is_over; });
  output_ = std::exchange(collected_, {});
  return output_;
}

// Answers whether the motion is over.
bool MotionService::advance(Motion& motion, std::int64_t now_ns) {
  switch (motion.phase) {
    case Phase::Waiting:
      return wait_for_rest(motion, now_ns);
    case Phase::Moving:
      return move_on(motion, now_ns);
    case Phase::Settling:
      return settle(motion, now_ns);
    case Phase::Braking:
      send_ahead(motion, now_ns);
      return motion.playback.is_over() && now_ns >= motion.playback.end_ns();
  }
  return true;
}

bool MotionService::wait_for_rest(Motion& motion, std::int64_t now_ns) {
  const bool is_shared = std::ranges::any_of(motions_, [&](const Motion& other) {
    return &other != &motion && !other.is_over && other.phase != Phase::Waiting &&
           (other.joint_mask & motion.joint_mask) != 0;
  });
  if (!is_shared && robot_.rests_wholly(motion.joint_mask)) return !plan(motion, now_ns);
  // a filter never quite arrives, and a planned motion begins at rest
  if (!is_shared && robot_.rests(motion.joint_mask) && !std::exchange(motion.has_halted, true)) {
    JointReference& stay = collected_.reference.emplace();
    stay.stamp_ns = now_ns;
    stay.joint_mask = motion.joint_mask;
    std::ranges::copy(robot_.sent(), stay.position.begin());
  }
  if (now_ns - motion.asked_ns < settings_.patience_ns) return false;
  refuse(motion.number, "its joints are being moved by another program and did not come to rest", now_ns);
  return true;
}

// Finds goals and a way; answers whether the motion has begun.
bool MotionService::plan(Motion& motion, std::int64_t now_ns) {
  RouteTask task{.from = posture_of_others(motion), .home = home_, .joint_mask = motion.joint_mask};
  for (std::size_t i = 0; i < home_.size(); ++i)
    if (!is_in(motion.joint_mask, i)) task.home[i] = task.from[i];
  if (!find_goals(motion, task, now_ns)) return false;
  Route route = routes_->find(task);
  if (route.stops.empty()) {
    answer(motion, ReplyStatus::Blocked, route.words, now_ns);
    return false;
  }
  motion.stops = std::move(route.stops);
  plan_way(motion, now_ns);
  return true;
}

bool MotionService::find_goals(Motion& motion, RouteTask& task, std::int64_t now_ns) {
  if (motion.arm == nullptr) {
    Posture& goal = task.goals.emplace_back(task.from);
    for (std::size_t i = 0; i < goal.size(); ++i)
      if (is_in(motion.joint_mask, i)) goal[i] = motion.request.joints[i];
    return true;
  }
  const ArmSolver& arm = *motion.arm;
  const auto goal = arm.goal_of(motion.request, robot_.sent());
  if (!goal) {
    refuse(motion.number, goal.error().message, now_ns);
    return false;
  }
  motion.goal = *goal;
  const ArmAnswer found = arm.solve(*goal, arm.own_joints(robot_.sent()), arm.own_joints(home_));
  motion.steps = found.steps;
  for (const JointVector& candidate : found.candidates) {
    Posture& posture = task.goals.emplace_back(task.from);
    for (std::size_t i = 0; i < arm.chain().size(); ++i)
      posture[arm.chain().position(i)] = candidate[static_cast<Eigen::Index>(i)];
  }
  if (!task.goals.empty()) return true;
  Reply& reply = answer(motion, ReplyStatus::Unreachable, found.words, now_ns);
  reply.position_error = found.error.position;
  reply.rotation_error = found.error.rotation;
  return false;
}

// Where the robot is, and the joints of other motions where these will end: the guard sees to what is
// between.
Posture MotionService::posture_of_others(const Motion& motion) const {
  const auto sent = robot_.sent();
  Posture posture(sent.begin(), sent.end());
  for (const Motion& other : motions_) {
    if (&other == &motion || other.stops.empty()) continue;
    for (std::size_t i = 0; i < posture.size(); ++i)
      if (is_in(other.joint_mask & ~motion.joint_mask, i)) posture[i] = other.stops.back()[i];
  }
  return posture;
}

// From stop to stop. It begins with the next step: finding it has taken time that nobody has told of yet.
void MotionService::plan_way(Motion& motion, std::int64_t now_ns) {
  Trajectory trajectory(static_cast<std::size_t>(std::popcount(motion.joint_mask)));
  Posture from(robot_.sent().begin(), robot_.sent().end());
  for (const Posture& to : motion.stops) {
    append_straight_way(
        model_, {.from = from, .to = to, .joint_mask = motion.joint_mask, .speed = motion.request.speed},
        trajectory);
    from = to;
  }
  const bool is_there = trajectory.piece_count() == 0;
  motion.phase = is_there ? Phase::Settling : Phase::Moving;
  motion.phase_ns = motion.began_ns = now_ns;
  answer(motion, ReplyStatus::Accepted, way_words(motion.stops, trajectory.length()), now_ns);
  if (!is_there) motion.planned = std::move(trajectory);
}

bool MotionService::begin_way(Motion& motion, std::int64_t now_ns) {
  auto playback = Playback::make(*std::exchange(motion.planned, std::nullopt),
                                 limits_of(model_, motion.joint_mask), now_ns + kLead_ns);
  if (!playback) {
    refuse(motion.number, playback.error().message, now_ns);
    return false;
  }
  motion.playback = *std::move(playback);
  motion.began_ns = now_ns;
  return true;
}

// So far ahead that this process may be late without harm, and no further, so that a change of mind is soon
// felt.
void MotionService::send_ahead(Motion& motion, std::int64_t now_ns) {
  Playback& playback = motion.playback;
  while (!playback.is_over() && playback.end_ns() < now_ns + settings_.ahead_ns) {
    const PlayedPiece& piece = playback.next();
    Segment& segment = collected_.segments.emplace_back();
    segment.stamp_ns = now_ns;
    segment.start_ns = piece.start_ns;
    segment.duration_ns = piece.duration_ns;
    segment.joint_mask = motion.joint_mask;
    segment.motion = motion.number;
    segment.is_last = piece.is_last ? 1 : 0;
    std::size_t k = 0;
    for (std::size_t i = 0; i < home_.size(); ++i)
      if (is_in(motion.joint_mask, i)) write_polynomial(piece.polynomials[k++], i, segment);
  }
}

bool MotionService::move_on(Motion& motion, std::int64_t now_ns) {
  if (motion.planned && !begin_way(motion, now_ns)) return true;
  send_ahead(motion, now_ns);
  if (!motion.playback.is_over() || now_ns < motion.playback.end_ns()) return false;
  motion.phase = Phase::Settling;
  motion.phase_ns = now_ns;
  return false;
}

bool MotionService::settle(Motion& motion, std::int64_t now_ns) {
  const RobotView::Miss miss = robot_.largest_miss(motion.stops.back(), motion.joint_mask);
  const bool is_at_rest = robot_.rests(motion.joint_mask);
  const bool is_late = now_ns - motion.phase_ns > settings_.settle_ns;
  if (is_at_rest && miss.distance <= settings_.tolerance) {
    answer(motion, ReplyStatus::Done, "reached", now_ns);
    return true;
  }
  if (!is_late) return false;
  const std::string& joint = model_.joints[model_.positions[miss.joint]].name;
  const std::string words =
      fmt::format("joint '{}' rests {:.4f} from where it was sent", joint, miss.distance);
  const bool is_near = is_at_rest && miss.distance <= settings_.rough_tolerance;
  answer(motion, is_near ? ReplyStatus::Done : ReplyStatus::Aborted, is_near ? "reached; " + words : words,
         now_ns);
  return true;
}

void MotionService::brake(Motion& motion, std::int64_t now_ns) {
  motion.playback.end_early();
  motion.phase = Phase::Braking;
  motion.phase_ns = now_ns;
}

void MotionService::abort_all(const std::string& why, std::int64_t now_ns) {
  for (const Motion& motion : motions_)
    if (motion.phase != Phase::Braking) answer(motion, ReplyStatus::Aborted, why, now_ns);
  motions_.clear();
}

Reply& MotionService::answer(std::uint64_t number, ReplyStatus status, const std::string& words,
                             std::int64_t now_ns) {
  Reply& reply = collected_.replies.emplace_back();
  reply.stamp_ns = now_ns;
  reply.request = number;
  reply.status = status;
  set_text(reply.reason, words);
  return reply;
}

Reply& MotionService::answer(const Motion& motion, ReplyStatus status, const std::string& words,
                             std::int64_t now_ns) {
  Reply& reply = answer(motion.number, status, words, now_ns);
  reply.steps = motion.steps;
  if (motion.stops.empty()) return reply;
  const bool is_over = status != ReplyStatus::Accepted;
  const std::span<const double> q =
      is_over ? robot_.measured() : std::span<const double>(motion.stops.back());
  reply.joint_mask = motion.joint_mask;
  for (std::size_t i = 0; i < q.size(); ++i)
    if (is_in(motion.joint_mask, i)) reply.joints[i] = q[i];
  if (motion.arm == nullptr) return reply;
  const ComponentError error = error_of(motion.goal.components, motion.arm->tool_pose(q));
  reply.position_error = error.position;
  reply.rotation_error = error.rotation;
  return reply;
}

}  // namespace sinew
