// SPDX-License-Identifier: BSD-3-Clause
// What is being done, step by step; motion_requests.cc takes what is asked.
#include "sinew/motion/motion_service.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <limits>

#include <fmt/format.h>

#include "sinew/base/assert.h"
#include "sinew/base/fixed_string.h"
#include "sinew/base/text.h"
#include "sinew/control/safety_text.h"
#include "sinew/control/segment_player.h"
#include "sinew/model/positions.h"
#include "sinew/motion/torque_stretch.h"

namespace sinew {
namespace {

/// Until the controller has begun with it, `safety` may still tell of an older conflict.
constexpr std::int64_t kUntilTaken_ns = 80 * kMillisecond_ns;

bool is_in(std::uint64_t joint_mask, std::size_t joint) {
  return (joint_mask >> joint & 1) != 0;
}

/// How far from where its joints are a planned motion may begin [rad, m]: rounding.
constexpr double kBeginTolerance = 1e-9;

/// Until the first piece begins: it must be there before.
constexpr std::int64_t kLead_ns = 60 * kMillisecond_ns;
/// What an earlier service has sent last has begun by then, and its joints are seen to move.
constexpr std::int64_t kUntilBegun_ns = 2 * kLead_ns;
/// Where it was not, it is sent again with twice the lead, so often in all.
constexpr int kMostBegins = 4;
/// How far ahead motions under way are sent while another one is planned; what the controller has room for.
constexpr std::int64_t kPlanningAhead_ns = kSecond_ns;
/// What begins later than this is sent anew after a change of mind: it must get there before.
constexpr std::int64_t kChangeLead_ns = 100 * kMillisecond_ns;

/// Of the controller's queue: the rest is for streams, and for pieces that others send.
constexpr std::size_t kQueueShare = kMostPieces - 24;
/// A motion begins when it may send so many at least.
constexpr std::size_t kFewestPieces = 8;
/// By then a piece that is over has left the queue, unless motions run late.
constexpr std::int64_t kUntilLeft_ns = 10 * kMillisecond_ns;

bool is_being_sent(const MotionInHand& motion) {
  const bool is_sent = motion.stage == MotionStage::Moving || motion.stage == MotionStage::Braking;
  return is_sent && !motion.is_over && !motion.planned;
}

void write_polynomial(const Coefficients& c, std::size_t joint, Segment& segment) {
  segment.c0[joint] = c[0];
  segment.c1[joint] = c[1];
  segment.c2[joint] = c[2];
  segment.c3[joint] = c[3];
  segment.c4[joint] = c[4];
  segment.c5[joint] = c[5];
}

std::string way_words(const std::vector<Posture>& stops, double duration, double rate) {
  std::string words = fmt::format("on its way, {:.1f} s", duration);
  if (stops.size() > 1)
    words += fmt::format(", over {} intermediate posture{}", stops.size() - 1, stops.size() > 2 ? "s" : "");
  if (rate == 0.0) return words + ", once the pause is over: resume";
  return rate < 1.0 ? words + fmt::format(" at full speed, of which it has {:.0f} %", 100.0 * rate) : words;
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
      moves_(model, settings.margin, settings.mesh_points, [this] { return asks_to_end(); }),
      world_(std::make_unique<World>()),
      robot_(model) {}

void MotionService::take_safety(const Safety& safety, std::int64_t now_ns) {
  robot_.take(safety);
  for (Motion& motion : queue_.all()) {
    const bool is_moving = motion.stage == Stage::Moving || motion.stage == Stage::Settling;
    if (!is_moving || motion.is_over || motion.planned) continue;
    if (end_as_told(motion, now_ns)) continue;
    const bool is_held =
        (safety.held_mask & motion.joint_mask) != 0 && safety.stamp_ns > motion.began_ns + kUntilTaken_ns;
    if (!is_held) continue;
    answer(motion, ReplyStatus::Blocked, robot_.held_words(), now_ns);
    motion.is_over = true;
  }
  sweep(now_ns);
}

// What the controller has refused or ended is over, for the reason that it tells. Answers whether that holds.
bool MotionService::end_as_told(Motion& motion, std::int64_t now_ns) {
  const Safety& safety = robot_.safety();
  if (safety.refused_motion == motion.sent_as && safety.refusals > motion.refusals_before) {
    if (sends_again(motion, now_ns)) return true;
    answer(motion, ReplyStatus::Aborted,
           fmt::format("the controller refused it: {}", refusal_cause(safety, &model_)), now_ns);
    // what it has taken of it so far it plays to its end
    motion.is_refused = true;
    motion.stage = Stage::Braking;
    motion.stage_ns = now_ns;
    return true;
  }
  const bool is_of_before = safety.motion_end == MotionEnd::Refused || safety.stamp_ns <= motion.began_ns;
  const bool is_held = (safety.held_mask & motion.joint_mask) != 0;
  if (safety.ended_motion != motion.sent_as || is_of_before || is_held) return false;
  const std::string why = motion_end_sentence(safety, &model_);
  if (why.empty()) return false;
  answer(motion, safety.motion_end == MotionEnd::Held ? ReplyStatus::Blocked : ReplyStatus::Aborted, why,
         now_ns);
  motion.is_over = true;
  return true;
}

const MotionOutput& MotionService::step(std::int64_t now_ns) {
  is_put_off_ = false;
  if (const Status ready = robot_.is_ready(now_ns); !ready) abort_all(ready.error().message, now_ns);
  note_lost_presses(now_ns);
  if (std::exchange(has_predecessor_, false)) begins_from_ns_ = now_ns + kUntilBegun_ns;
  for (Motion& motion : queue_.all())
    if (!motion.is_over && advance(motion, now_ns)) motion.is_over = true;
  sweep(now_ns);
  output_ = std::exchange(collected_, {});
  return output_;
}

// Answers whether the motion is over.
bool MotionService::advance(Motion& motion, std::int64_t now_ns) {
  switch (motion.stage) {
    case Stage::Queued:
      if (!queue_.has_turn(motion)) return false;
      motion.stage = Stage::Waiting;
      motion.asked_ns = now_ns;
      return wait_for_rest(motion, now_ns);
    case Stage::Waiting:
      return wait_for_rest(motion, now_ns);
    case Stage::Moving:
      return move_on(motion, now_ns);
    case Stage::Settling:
      return settle(motion, now_ns);
    case Stage::Braking:
      if (motion.is_refused) return now_ns >= motion.playback.end_ns() && robot_.rests(motion.joint_mask);
      send_ahead(motion, now_ns, settings_.ahead_ns);
      return motion.playback.is_over() && now_ns >= motion.playback.end_ns();
  }
  return true;
}

bool MotionService::wait_for_rest(Motion& motion, std::int64_t now_ns) {
  if (now_ns < begins_from_ns_) return false;
  const bool is_shared = std::ranges::any_of(queue_.all(), [&](const Motion& other) {
    const bool has_joints = other.stage != Stage::Queued && other.stage != Stage::Waiting;
    return &other != &motion && !other.is_over && has_joints && (other.joint_mask & motion.joint_mask) != 0;
  });
  if (!is_shared && robot_.rests_wholly(motion.joint_mask)) return plan_unless_interrupted(motion, now_ns);
  // a filter never quite arrives, and a planned motion begins at rest
  if (!is_shared && robot_.rests(motion.joint_mask) && !std::exchange(motion.has_halted, true)) {
    JointReference& stay = collected_.reference.emplace();
    stay.stamp_ns = now_ns;
    stay.joint_mask = motion.joint_mask;
    std::ranges::copy(robot_.sent(), stay.position.begin());
  }
  if (now_ns - motion.asked_ns < settings_.patience_ns) return false;
  refuse(motion, "its joints are being moved by another program and did not come to rest", now_ns);
  return true;
}

// Once interrupted, nothing is planned in this step any more.
bool MotionService::asks_to_end() {
  is_put_off_ = is_put_off_ || is_interrupted(settings_.interruption);
  return is_put_off_;
}

// Answers whether the motion is over. Put off, it waits on.
bool MotionService::plan_unless_interrupted(Motion& motion, std::int64_t now_ns) {
  const bool has_begun = !asks_to_end() && plan(motion, now_ns);
  if (has_begun || !is_put_off_) return !has_begun;
  motion.stops.clear();
  motion.asked_ns = now_ns;
  return false;
}

// The first piece came too late to be begun, which says more of the machine than of the motion: as long as
// the joints rest where it begins, it is sent again. Answers whether it is.
bool MotionService::sends_again(Motion& motion, std::int64_t now_ns) {
  const Refusal why = robot_.safety().last_refusal;
  const bool is_late = why == Refusal::Late || why == Refusal::MotionOver;
  if (!is_late || motion.begins >= kMostBegins || robot_.safety().motion == motion.sent_as) return false;
  if (motion.stage != Stage::Moving || !robot_.rests_wholly(motion.joint_mask)) return false;
  const Trajectory& trajectory = motion.playback.trajectory();
  std::size_t k = 0;
  for (std::size_t i = 0; i < home_.size(); ++i) {
    if (!is_in(motion.joint_mask, i)) continue;
    if (std::abs(trajectory.at(k++, 0.0).value - robot_.sent()[i]) > kBeginTolerance) return false;
  }
  motion.planned = trajectory;
  answer(motion, ReplyStatus::Accepted, "the controller got it too late; it is sent again", now_ns);
  return true;
}

// Finds goals and a way; answers whether the motion has begun.
bool MotionService::plan(Motion& motion, std::int64_t now_ns) {
  if (motion.given) return use_given(motion, now_ns);
  if (motion.gripper != nullptr) return plan_gripper(motion, now_ns);
  if (is_tool_path(motion.request)) return plan_tool_path(motion, now_ns);
  if (motion.points) return plan_points(motion, now_ns);
  RouteTask task{.from = posture_of_others(motion), .home = home_, .joint_mask = motion.joint_mask};
  for (std::size_t i = 0; i < home_.size(); ++i)
    if (!is_in(motion.joint_mask, i)) task.home[i] = task.from[i];
  if (!find_goals(motion, task, now_ns)) return false;
  Route route = routes_->find(task, [this] { return asks_to_end(); });
  if (is_put_off_) return false;
  if (!route.goals.empty()) task.goals = std::move(route.goals);
  if (route.stops.empty()) return plan_way_round(motion, task, route, now_ns);
  motion.stops = std::move(route.stops);
  return plan_way(motion, now_ns);
}

// Where few samples have shown no way, a search may.
bool MotionService::plan_way_round(Motion& motion, const RouteTask& task, const Route& blocked,
                                   std::int64_t now_ns) {
  MovePlan plan = moves_.plan_way_round(task, motion.request.speed);
  if (is_put_off_) return false;
  if (!plan) {
    answer(motion, ReplyStatus::Blocked, blocked.words, now_ns);
    return false;
  }
  motion.stops = {plan.planned.postures.back()};
  if (const Status fits = fit_timing(motion.request, motion.arm, motion.joint_mask, plan.planned.trajectory);
      !fits) {
    refuse(motion, fits.error().message, now_ns);
    return false;
  }
  set_way(motion, std::move(plan.planned.trajectory), now_ns);
  return true;
}

// What was planned by others goes on from where the joints are now, or not at all.
bool MotionService::use_given(Motion& motion, std::int64_t now_ns) {
  PlannedMotion& given = *motion.given;
  motion.stops = {given.goal};
  motion.may_fall_short = given.may_fall_short;
  std::size_t k = 0;
  for (std::size_t i = 0; i < home_.size(); ++i) {
    if (!is_in(motion.joint_mask, i) || given.trajectory.piece_count() == 0) continue;
    const double begin = given.trajectory.at(k++, 0.0).value;
    const double off = robot_.sent()[i] - begin;
    if (std::abs(off) <= kBeginTolerance) continue;
    refuse(motion,
           fmt::format("it begins with joint '{}' at {:.6f}, but that is at {:.6f} now: plan it from there",
                       model_.joints[model_.positions[i]].name, begin, robot_.sent()[i]),
           now_ns);
    return false;
  }
  set_way(motion, std::move(given.trajectory), now_ns);
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
  const auto goal = arm.goal_of(motion.request, counted_from(motion));
  if (!goal) {
    refuse(motion, goal.error().message, now_ns);
    return false;
  }
  motion.goal = *goal;
  const ArmAnswer found = arm.solve(*goal, arm.own_joints(robot_.sent()), arm.own_joints(home_));
  motion.steps = found.steps;
  const auto posture_of = [&arm, from = task.from](const JointVector& candidate) {
    Posture posture = from;
    for (std::size_t i = 0; i < arm.chain().size(); ++i)
      posture[arm.chain().position(i)] = candidate[static_cast<Eigen::Index>(i)];
    return posture;
  };
  for (const JointVector& candidate : found.candidates) task.goals.push_back(posture_of(candidate));
  if (!task.goals.empty()) {
    if (auto more = arm.more_postures(*goal, arm.own_joints(robot_.sent()))) {
      task.more_goals = [more = std::move(more), posture_of]() mutable {
        std::vector<Posture> postures;
        std::ranges::transform(more(), std::back_inserter(postures), posture_of);
        return postures;
      };
    }
    return true;
  }
  Reply& reply = answer(motion, ReplyStatus::Unreachable, found.words, now_ns);
  reply.position_error = found.error.position;
  reply.rotation_error = found.error.rotation;
  return false;
}

// Planned anew on its way, a relative motion goes to where it was to go, not as far once more.
std::span<const double> MotionService::counted_from(const Motion& motion) const {
  return motion.counted_from.empty() ? robot_.sent() : std::span<const double>(motion.counted_from);
}

// Where the robot is, and the joints of other motions where these will end: the guard sees to what is
// between.
Posture MotionService::posture_of_others(const Motion& motion) const {
  const auto sent = robot_.sent();
  Posture posture(sent.begin(), sent.end());
  for (const Motion& other : queue_.all()) {
    if (&other == &motion || !other.is_due() || other.stops.empty()) continue;
    for (std::size_t i = 0; i < posture.size(); ++i)
      if (is_in(other.joint_mask & ~motion.joint_mask, i)) posture[i] = other.stops.back()[i];
  }
  return posture;
}

// From stop to stop. It begins with the next step: finding it has taken time that nobody has told of yet.
bool MotionService::plan_way(Motion& motion, std::int64_t now_ns) {
  Trajectory trajectory(static_cast<std::size_t>(std::popcount(motion.joint_mask)));
  Posture from(robot_.sent().begin(), robot_.sent().end());
  for (const Posture& to : motion.stops) {
    append_straight_way(
        model_, {.from = from, .to = to, .joint_mask = motion.joint_mask, .speed = motion.request.speed},
        trajectory);
    from = to;
  }
  std::vector<std::size_t> moved;
  for (std::size_t i = 0; i < from.size(); ++i)
    if (is_in(motion.joint_mask, i)) moved.push_back(i);
  trajectory.stretch(TorqueStretch(model_).factor_for(trajectory, moved, posture_of_others(motion)));
  if (const Status fits = fit_timing(motion.request, motion.arm, motion.joint_mask, trajectory); !fits) {
    refuse(motion, fits.error().message, now_ns);
    return false;
  }
  set_way(motion, std::move(trajectory), now_ns);
  return true;
}

void MotionService::set_way(Motion& motion, Trajectory trajectory, std::int64_t now_ns,
                            const std::string& note) {
  const bool is_there = trajectory.piece_count() == 0;
  motion.stage = is_there ? Stage::Settling : Stage::Moving;
  motion.stage_ns = motion.began_ns = now_ns;
  if (motion.counted_from.empty()) motion.counted_from.assign(robot_.sent().begin(), robot_.sent().end());
  const std::string words = way_words(motion.stops, trajectory.length(), rate());
  answer(motion, ReplyStatus::Accepted, note.empty() ? words : words + "; " + note, now_ns);
  if (!is_there) motion.planned = std::move(trajectory);
}

bool MotionService::begin_way(Motion& motion, std::int64_t now_ns) {
  motion.wanted_rate = rate_of(motion, now_ns);
  auto playback =
      Playback::make(*std::exchange(motion.planned, std::nullopt), limits_of(model_, motion.joint_mask),
                     now_ns + (kLead_ns << motion.begins), motion.wanted_rate);
  if (!playback) {
    refuse(motion, playback.error().message, now_ns);
    return false;
  }
  motion.playback = *std::move(playback);
  motion.sent_as = motion.number;
  motion.progress.begin(motion.playback.end_ns());
  motion.began_ns = now_ns;
  ++motion.begins;
  motion.refusals_before = robot_.safety().refusals;
  return true;
}

// How many pieces more the controller has room for. Motions share its queue alike.
std::size_t MotionService::room_for(const Motion& motion, std::int64_t now_ns) const {
  const std::int64_t left_ns = now_ns - robot_.safety().motion_delay_ns - kUntilLeft_ns;
  std::size_t others = 0;
  std::size_t shares = 1;
  for (const Motion& other : queue_.all()) {
    if (&other == &motion || !is_being_sent(other)) continue;
    ++shares;
    others += other.progress.pieces_after(left_ns);
  }
  const std::size_t own = motion.planned ? 0 : motion.progress.pieces_after(left_ns);
  const std::size_t most = std::min(kQueueShare / shares, kQueueShare - std::min(kQueueShare, others));
  return most - std::min(most, own);
}

// So far ahead that this process may be late without harm, as far as there is room; after a change of mind,
// what has not begun is replaced.
void MotionService::send_ahead(Motion& motion, std::int64_t now_ns, std::int64_t ahead_ns) {
  Playback& playback = motion.playback;
  motion.wanted_rate = rate_of(motion, now_ns);
  playback.set_rate(motion.wanted_rate);
  if (playback.take_back(now_ns + kChangeLead_ns)) motion.progress.cut(playback.end_ns());
  motion.progress.forget_before(now_ns - robot_.safety().motion_delay_ns - kUntilLeft_ns);
  for (std::size_t room = room_for(motion, now_ns);
       room > 0 && !playback.is_over() && playback.end_ns() < now_ns + ahead_ns; --room) {
    const PlayedPiece& piece = playback.next();
    motion.progress.add(playback.end_ns(), playback.nominal_time());
    Segment& segment = collected_.segments.emplace_back();
    segment.stamp_ns = now_ns;
    segment.start_ns = piece.start_ns;
    segment.duration_ns = piece.duration_ns;
    segment.joint_mask = motion.joint_mask;
    segment.motion = motion.sent_as;
    segment.is_last = piece.is_last ? 1 : 0;
    std::size_t k = 0;
    for (std::size_t i = 0; i < home_.size(); ++i)
      if (is_in(motion.joint_mask, i)) write_polynomial(piece.polynomials[k++], i, segment);
  }
}

std::vector<Segment> MotionService::send_on(std::int64_t now_ns) {
  std::vector<Motion*> under_way;
  for (Motion& motion : queue_.all())
    if (is_being_sent(motion) && !motion.is_refused) under_way.push_back(&motion);
  const auto shares = static_cast<std::int64_t>(std::max<std::size_t>(1, under_way.size()));
  for (Motion* motion : under_way) send_ahead(*motion, now_ns, kPlanningAhead_ns / shares);
  // also what this step has sent before: pieces go out in their order
  return std::exchange(collected_.segments, {});
}

bool MotionService::move_on(Motion& motion, std::int64_t now_ns) {
  if (motion.planned && room_for(motion, now_ns) < kFewestPieces) return false;
  if (motion.planned && !begin_way(motion, now_ns)) return true;
  pass_joined(motion, motion.progress.nominal_at(now_ns), now_ns);
  if (end_if_strayed(motion, now_ns) || gives_up(motion, now_ns)) return motion.is_over;
  if (has_stopped_short(motion, now_ns)) {
    // it goes on pressing a little while it comes to rest
    end(motion, ReplyStatus::Done, hold_words(motion), now_ns);
    return false;
  }
  send_ahead(motion, now_ns, settings_.ahead_ns);
  if (!motion.playback.is_over() || now_ns < motion.playback.end_ns()) return false;
  if (motion.replans) {
    plan_again(motion, now_ns);
    return false;
  }
  motion.stage = Stage::Settling;
  motion.stage_ns = now_ns;
  return false;
}

bool MotionService::settle(Motion& motion, std::int64_t now_ns) {
  pass_joined(motion, std::numeric_limits<double>::infinity(), now_ns);
  if (motion.points) return settle_trajectory(motion, now_ns);
  const RobotView::Miss miss = robot_.largest_miss(motion.stops.back(), motion.joint_mask);
  const bool is_at_rest = robot_.rests(motion.joint_mask);
  const bool is_late = now_ns - motion.stage_ns > settings_.settle_ns;
  if (is_at_rest && miss.distance <= settings_.tolerance) {
    answer(motion, ReplyStatus::Done, "reached", now_ns);
    return true;
  }
  if (is_at_rest && has_stopped_short(motion, now_ns)) {
    answer(motion, ReplyStatus::Done, hold_words(motion), now_ns);
    return true;
  }
  if (!is_late) return false;
  const std::string& joint = model_.joints[model_.positions[miss.joint]].name;
  const std::string words =
      fmt::format("joint '{}' rests {:.4f} from where it was sent", joint, miss.distance);
  const bool is_near = is_at_rest && (motion.may_fall_short || miss.distance <= settings_.rough_tolerance);
  answer(motion, is_near ? ReplyStatus::Done : ReplyStatus::Aborted, is_near ? "reached; " + words : words,
         now_ns);
  return true;
}

void MotionService::abort(Motion& motion, const std::string& why, std::int64_t now_ns) {
  end(motion, ReplyStatus::Aborted, why, now_ns);
}

// Answers it; what of it is on its way comes to rest on its path.
void MotionService::end(Motion& motion, ReplyStatus status, const std::string& why, std::int64_t now_ns) {
  answer(motion, status, why, now_ns);
  motion.is_over = motion.stage != Stage::Moving || motion.planned.has_value();
  motion.playback.end_early();
  motion.conflict.reset();
  motion.stage = Stage::Braking;
  motion.stage_ns = now_ns;
}

// Answers how many; those that waited for them fail with them.
std::size_t MotionService::abort_if(const std::function<bool(const Motion&)>& is_meant,
                                    const std::string& why, std::int64_t now_ns) {
  std::size_t count = 0;
  for (Motion& motion : queue_.all()) {
    if (!motion.is_due() || !is_meant(motion)) continue;
    abort(motion, why, now_ns);
    ++count;
  }
  sweep(now_ns);
  return count;
}

void MotionService::abort_all(const std::string& why, std::int64_t now_ns) {
  for (Motion& motion : queue_.all())
    if (motion.is_due()) answer(motion, ReplyStatus::Aborted, why, now_ns);
  queue_.all().clear();
  is_paused_ = false;
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

Reply& MotionService::answer(Motion& motion, ReplyStatus status, const std::string& words,
                             std::int64_t now_ns) {
  if (status != ReplyStatus::Accepted) note_end(motion, status, words, now_ns);
  Reply& reply = motion.step == 0
                     ? collected_.replies.emplace_back()
                     : collected_.step_replies.emplace_back(StepReply{.step = motion.step}).reply;
  reply.stamp_ns = now_ns;
  reply.request = motion.number;
  reply.status = status;
  set_text(reply.reason, words);
  reply.steps = motion.steps;
  if (motion.stops.empty()) return reply;
  const bool is_over = status != ReplyStatus::Accepted;
  const std::span<const double> q =
      is_over ? robot_.measured() : std::span<const double>(motion.stops.back());
  reply.joint_mask = motion.joint_mask;
  for (std::size_t i = 0; i < q.size(); ++i)
    if (is_in(motion.joint_mask, i)) reply.joints[i] = q[i];
  if (motion.gripper != nullptr && is_over) add_width(motion, reply);
  if (motion.arm == nullptr) return reply;
  const ComponentError error = error_of(motion.goal.components, motion.arm->tool_pose(q));
  reply.position_error = error.position;
  reply.rotation_error = error.rotation;
  return reply;
}

// Once for each motion.
void MotionService::note_end(Motion& motion, ReplyStatus status, const std::string& words,
                             std::int64_t now_ns) {
  SINEW_ASSERT(!motion.is_answered);
  motion.is_answered = true;
  if (status == ReplyStatus::Done) return;
  motion.failure = words;
  queue_.note_failure(motion, now_ns);
  for (const JoinedRequest& next : std::exchange(motion.joined, {}))
    answer(next.number, ReplyStatus::Aborted, failed_before_words(motion.number, words), now_ns);
}

// Those that waited for one that has failed fail with it; those that are over are forgotten.
void MotionService::sweep(std::int64_t now_ns) {
  std::uint64_t failed = 0;
  std::string why;
  for (Motion& motion : queue_.all()) {
    if (why.empty() && !motion.failure.empty()) {
      failed = motion.number;
      why = motion.failure;
    }
    const bool waited = !motion.is_over && motion.stage == Stage::Queued && !why.empty();
    if (waited) abort(motion, failed_before_words(failed, why), now_ns);
    motion.failure.clear();
  }
  queue_.sweep();
}

}  // namespace sinew
