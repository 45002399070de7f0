// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/live_motion.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/text.h"
#include "sinew/collision/contact_text.h"
#include "sinew/motion/straight_way.h"

namespace sinew {
namespace {

constexpr double kLiveShare = 0.999;  // room for rounding
// while getting faster; the way to rest has the rest of the limits
constexpr double kOfVelocity = 0.95;
constexpr double kOfAcceleration = 0.8;
constexpr double kOfJerk = 0.8;
constexpr double kShortestRest = 0.01;  // [s]
constexpr double kMostLost = 0.02;      // of a direction, before the arm counts as unable
constexpr double kSlowShare = 0.01;     // of the velocity limits, that counts as standing
constexpr double kNearSingular = 0.08;
constexpr double kStanding = 0.005;  // a share of the wish that is none
constexpr int kLiveBisections = 5;
constexpr double kAhead = 0.15;  // [s] how far to look for postures in which joints must be faster
constexpr std::int64_t kLeadStep_ns = 4 * kMillisecond_ns;
constexpr std::int64_t kMostLead_ns = 60 * kMillisecond_ns;
constexpr std::int64_t kQuiet_ns = 2 * kSecond_ns;  // then the lead may shrink

double seconds_of(std::int64_t time_ns) {
  return 1e-9 * static_cast<double>(time_ns);
}

AxisLimits shared(AxisLimits limits, double velocity, double acceleration, double jerk) {
  limits.velocity *= velocity;
  limits.acceleration *= acceleration;
  limits.jerk *= jerk;
  return limits;
}

AxisState state_at(const Coefficients& c, double time) {
  const CurvePoint point = evaluate(c, time);
  return {.position = point.value, .velocity = point.first, .acceleration = point.second};
}

CurvePoint point_of(const AxisState& state) {
  return {.value = state.position, .first = state.velocity, .second = state.acceleration};
}

bool is_slow(std::span<const AxisState> states, std::span<const AxisLimits> limits) {
  for (std::size_t k = 0; k < states.size(); ++k)
    if (std::abs(states[k].velocity) > kSlowShare * limits[k].velocity) return false;
  return true;
}

bool is_still(std::span<const AxisState> states) {
  return std::ranges::all_of(
      states, [](const AxisState& state) { return state.velocity == 0.0 && state.acceleration == 0.0; });
}

}  // namespace

bool bring_to_rest(const RobotView& robot, std::uint64_t joint_mask, std::int64_t now_ns, bool& has_halted,
                   std::optional<JointReference>& out) {
  if (robot.rests_wholly(joint_mask)) {
    has_halted = false;
    return true;
  }
  if (!robot.rests(joint_mask) || std::exchange(has_halted, true)) return false;
  JointReference& stay = out.emplace();
  stay.stamp_ns = now_ns;
  stay.joint_mask = joint_mask;
  std::ranges::copy(robot.sent(), stay.position.begin());
  return false;
}

Segment segment_of(const LivePiece& piece, std::span<const std::size_t> joints, std::int64_t now_ns) {
  Segment segment{.stamp_ns = now_ns, .start_ns = piece.start_ns, .duration_ns = piece.duration_ns};
  for (std::size_t k = 0; k < joints.size(); ++k) {
    const Coefficients& c = piece.polynomials[k];
    const std::size_t i = joints[k];
    segment.joint_mask |= std::uint64_t{1} << i;
    segment.c0[i] = c[0];
    segment.c1[i] = c[1];
    segment.c2[i] = c[2];
    segment.c3[i] = c[3];
    segment.c4[i] = c[4];
    segment.c5[i] = c[5];
  }
  return segment;
}

LiveMotion::LiveMotion(const RobotModel& model, RouteFinder& room, const LiveSettings& settings)
    : model_(model), room_(room), settings_(settings), lead_ns_(settings.lead_ns) {}

void LiveMotion::begin(std::uint64_t joint_mask, const ArmSolver* arm, std::span<const double> q_all,
                       std::uint64_t number) {
  sent_.begin(joint_mask, q_all);
  number_ = number;
  ends_by_itself_ = true;
  limits_ = limits_of(model_, joint_mask);
  eased_.clear();
  for (AxisLimits& limits : limits_) {
    eased_.push_back(shared(limits, kOfVelocity, kOfAcceleration, kOfJerk));
    // only the begin of a blend is sent, so where it would end does not count
    eased_.back().lower = -std::numeric_limits<double>::infinity();
    eased_.back().upper = std::numeric_limits<double>::infinity();
    limits = shared(limits, kLiveShare, kLiveShare, kLiveShare);
  }
  set_arm(arm);
}

void LiveMotion::set_arm(const ArmSolver* arm) {
  arm_ = arm;
  slot_of_chain_.clear();
  for (std::size_t i = 0; arm != nullptr && i < arm->chain().size(); ++i) {
    const auto found = std::ranges::find(sent_.joints(), arm->chain().position(i));
    slot_of_chain_.push_back(static_cast<std::size_t>(found - sent_.joints().begin()));
  }
}

std::int64_t LiveMotion::next_ns(std::int64_t now_ns) const {
  return std::max(now_ns - sent_.delay_ns() + lead_ns_, sent_.begin_ns());
}

std::vector<AxisState> LiveMotion::states_at(std::int64_t at_ns) const {
  std::vector<AxisState> states(sent_.joints().size());
  sent_.sample(at_ns, states);
  return states;
}

JointVector LiveMotion::arm_joints(std::span<const AxisState> states) const {
  JointVector q(static_cast<Eigen::Index>(slot_of_chain_.size()));
  for (std::size_t i = 0; i < slot_of_chain_.size(); ++i)
    q[static_cast<Eigen::Index>(i)] = states[slot_of_chain_[i]].position;
  return q;
}

bool LiveMotion::take_command(const RobotView& robot, std::int64_t now_ns) {
  const std::int64_t known_delay_ns = rests(now_ns) ? 0 : robot.safety().motion_delay_ns;
  switch (sent_.compare(robot.command(), known_delay_ns)) {
    case SentPieces::Verdict::AsSent:
      if (now_ns - quiet_since_ns_ > kQuiet_ns && lead_ns_ > settings_.lead_ns) {
        lead_ns_ = std::max(settings_.lead_ns, lead_ns_ - kMillisecond_ns);
        quiet_since_ns_ = now_ns;
      }
      return true;
    case SentPieces::Verdict::SetBack:
      // what was sent came too late
      lead_ns_ = std::min(lead_ns_ + kLeadStep_ns, kMostLead_ns);
      quiet_since_ns_ = now_ns;
      ends_by_itself_ = true;
      return true;
    case SentPieces::Verdict::Strange:
      break;
  }
  return false;
}

LiveMotion::Begin LiveMotion::begin_of(const LiveWish& wish, std::span<const double> q_all,
                                       std::int64_t now_ns) const {
  Begin begin{.at_ns = next_ns(now_ns), .q_all = q_all, .goals = wish.joints};
  begin.from = states_at(begin.at_ns);
  if (!wish.is_of_tool) return begin;
  JointVector velocity(static_cast<Eigen::Index>(slot_of_chain_.size()));
  JointVector acceleration = velocity;
  for (std::size_t i = 0; i < slot_of_chain_.size(); ++i) {
    velocity[static_cast<Eigen::Index>(i)] = begin.from[slot_of_chain_[i]].velocity;
    acceleration[static_cast<Eigen::Index>(i)] = begin.from[slot_of_chain_[i]].acceleration;
  }
  begin.tool = tool_motion(arm_->chain(), arm_joints(begin.from), velocity, acceleration);
  return begin;
}

// How much of the wish the velocity limits allow.
LiveMotion::Cap LiveMotion::cap_by_speed(const LiveWish& wish, std::span<const VelocityGoal> goals,
                                         JogReason reason) const {
  Cap cap;
  for (std::size_t k = 0; k < goals.size(); ++k) {
    const double most = wish.speed * eased_[k].velocity;
    const double wanted = std::abs(goals[k].velocity);
    if (wanted * cap.share <= most) continue;
    cap.share = most / wanted;
    cap.why = {.reason = reason,
               .words = reason == JogReason::Singularity
                            ? fmt::format("the arm nears a posture in which its tool cannot be moved that "
                                          "way: joint '{}' would have to be {:.1f} times as fast as it may",
                                          joint_name(k), wanted / most)
                            : fmt::format("joint '{}' would have to be {:.1f} times as fast as it may",
                                          joint_name(k), wanted / most)};
  }
  return cap;
}

// The same a little further on, so that the tool slows down before a singularity and not at it.
LiveMotion::Cap LiveMotion::look_ahead(const LiveWish& wish, const Begin& begin) const {
  std::vector<AxisState> ahead = begin.from;
  for (std::size_t k = 0; k < ahead.size(); ++k) {
    ahead[k].position =
        std::clamp(ahead[k].position + kAhead * ahead[k].velocity, limits_[k].lower, limits_[k].upper);
  }
  const ToolRates rates = tool_rates(arm_->chain(), joint_numbers(arm_joints(ahead)), wish.V_BT);
  if (rates.lost > kMostLost) return {};
  std::vector<VelocityGoal> goals(ahead.size());
  for (std::size_t i = 0; i < slot_of_chain_.size(); ++i)
    goals[slot_of_chain_[i]].velocity = rates.velocity[static_cast<Eigen::Index>(i)];
  return cap_by_speed(wish, goals, JogReason::Singularity);
}

// What the joints and the tool shall do; answers how much of that the arm cannot.
double LiveMotion::set_tool_goals(const LiveWish& wish, Begin& begin, double& smallest_singular_value) const {
  const JointVector q = arm_joints(begin.from);
  const ToolRates velocity = tool_rates(arm_->chain(), joint_numbers(q), wish.V_BT);
  const ToolRates acceleration = tool_rates(arm_->chain(), joint_numbers(q), wish.A_BT);
  begin.goals.assign(begin.from.size(), {});
  for (std::size_t i = 0; i < slot_of_chain_.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    begin.goals[slot_of_chain_[i]] = {.velocity = velocity.velocity[k],
                                      .acceleration = acceleration.velocity[k]};
  }
  Jacobian jacobian;
  arm_->chain().tool_pose(joint_numbers(q), jacobian);
  const Eigen::Matrix<double, 6, 1> done[] = {jacobian * velocity.velocity, jacobian * acceleration.velocity};
  for (std::size_t i = 0; i < 6; ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    begin.tool_goals[i] = {.velocity = done[0][k], .acceleration = done[1][k]};
  }
  smallest_singular_value = velocity.smallest_singular_value;
  return velocity.lost;
}

LiveMotion::Cap LiveMotion::cap_of(const LiveWish& wish, Begin& begin) const {
  if (!wish.is_of_tool) return cap_by_speed(wish, begin.goals, JogReason::SpeedLimit);
  double smallest_singular_value = 0.0;
  const double lost = set_tool_goals(wish, begin, smallest_singular_value);
  if (lost > kMostLost)
    return {.share = 0.0,
            .why = {.reason = JogReason::Singularity,
                    .words = fmt::format("in this posture the arm cannot move its tool that way: {:.0f} % of "
                                         "it would be lost; jog joints, or another direction",
                                         100.0 * lost)},
            .smallest_singular_value = smallest_singular_value};
  Cap cap = cap_by_speed(wish, begin.goals, JogReason::SpeedLimit);
  const Cap ahead = look_ahead(wish, begin);
  if (ahead.share < cap.share) cap = ahead;
  cap.smallest_singular_value = smallest_singular_value;
  return cap;
}

LiveOutcome LiveMotion::go(const LiveWish& wish, std::span<const double> q_all, std::int64_t now_ns,
                           std::vector<Segment>& out) {
  if (rests(next_ns(now_ns)) && !sent_.is_empty()) {
    // at rest: a new motion, on time again
    std::vector<double> q(q_all.begin(), q_all.end());
    const std::vector<AxisState> states = states_at(sent_.end_ns());
    for (std::size_t k = 0; k < states.size(); ++k) q[sent_.joints()[k]] = states[k].position;
    sent_.begin(sent_.joint_mask(), q);
  }
  Begin begin = begin_of(wish, q_all, now_ns);
  const Cap cap = cap_of(wish, begin);
  LiveOutcome outcome{.share = cap.share,
                      .reason = cap.why.reason,
                      .words = cap.why.words,
                      .smallest_singular_value = cap.smallest_singular_value};
  Attempt best = try_share(wish, begin, cap.share);
  if (best.plan.empty() && cap.share > 0.0) best = slow_down(wish, begin, std::move(best.why), outcome);
  if (outcome.share < kStanding || best.plan.empty()) {
    outcome.share = 0.0;
    outcome.is_standing = is_slow(begin.from, limits_);
    stop(q_all, now_ns, out);
    return outcome;
  }
  send(std::move(best.plan), now_ns, out);
  return outcome;
}

// The largest share that can be; what binds just above it is the reason.
LiveMotion::Attempt LiveMotion::slow_down(const LiveWish& wish, const Begin& begin, Obstacle why,
                                          LiveOutcome& outcome) const {
  Attempt best;
  double low = 0.0;
  double high = outcome.share;
  for (int i = 0; i < kLiveBisections; ++i) {
    const double middle = 0.5 * (low + high);
    Attempt attempt = try_share(wish, begin, middle);
    (attempt.plan.empty() ? high : low) = middle;
    if (attempt.plan.empty())
      why = std::move(attempt.why);
    else
      best = std::move(attempt);
  }
  outcome.share = low;
  const bool is_bent = wish.is_of_tool && why.reason == JogReason::SpeedLimit;
  if (is_bent && outcome.smallest_singular_value < kNearSingular) {
    why.reason = JogReason::Singularity;
    why.words = "the arm nears a posture in which its tool cannot be moved that way: " + why.words;
  }
  outcome.reason = why.reason;
  outcome.words = std::move(why.words);
  return best;
}

void LiveMotion::stop(std::span<const double> q_all, std::int64_t now_ns, std::vector<Segment>& out) {
  if (ends_by_itself_) return;
  const bool is_of_tool = arm_ != nullptr;
  const LiveWish rest{.is_of_tool = is_of_tool, .joints = std::vector<VelocityGoal>(limits_.size())};
  Begin begin = begin_of(rest, q_all, now_ns);
  if (is_still(begin.from)) return;
  // a tool stops straight on; the last of it, or what cannot, in the joints
  const BlendTime time = shortest_blend({.from = begin.from, .limits = eased_, .least = kShortestRest});
  if (is_of_tool && time.time && *time.time > 2.0 * seconds_of(settings_.piece_ns)) {
    Attempt attempt = try_share(rest, begin, 1.0);
    if (!attempt.plan.empty()) return send(std::move(attempt.plan), now_ns, out);
  }
  Attempt attempt = rest_from(begin, {}, begin.from);
  if (!attempt.plan.empty()) send(std::move(attempt.plan), now_ns, out);
  // if not, what was sent before ends at rest as well
  ends_by_itself_ = true;
}

void LiveMotion::send(std::vector<LivePiece> plan, std::int64_t now_ns, std::vector<Segment>& out) {
  for (const LivePiece& piece : plan) {
    Segment& segment = out.emplace_back(segment_of(piece, sent_.joints(), now_ns));
    segment.motion = number_;
    segment.is_last = &piece == &plan.back() ? 1 : 0;
  }
  sent_.put(std::move(plan));
  ends_by_itself_ = false;
}

LiveMotion::Attempt LiveMotion::try_share(const LiveWish& wish, const Begin& begin, double share) const {
  std::vector<VelocityGoal> goals = begin.goals;
  for (VelocityGoal& goal : goals) goal = {share * goal.velocity, share * goal.acceleration};
  const double piece_time = seconds_of(settings_.piece_ns);
  LivePiece piece{.start_ns = begin.at_ns, .duration_ns = settings_.piece_ns};
  if (wish.is_chase) {
    for (std::size_t k = 0; k < goals.size(); ++k)
      piece.polynomials.push_back(steer_to(begin.from[k], goals[k], eased_[k], piece_time));
  } else if (Obstacle why = make_blend(wish, begin, goals, share, piece); why.reason != JogReason::None) {
    return {.why = std::move(why)};
  }
  if (Obstacle why = check_limits(piece); why.reason != JogReason::None) return {.why = std::move(why)};
  std::vector<AxisState> from;
  for (const Coefficients& c : piece.polynomials) from.push_back(state_at(c, piece_time));
  std::vector<LivePiece> before;
  before.push_back(std::move(piece));
  return rest_from(begin, std::move(before), std::move(from));
}

// As soon as the limits allow as wished, all joints or the tool in step.
LiveMotion::Obstacle LiveMotion::make_blend(const LiveWish& wish, const Begin& begin,
                                            std::span<const VelocityGoal> goals, double share,
                                            LivePiece& piece) const {
  const BlendTime blend = shortest_blend(
      {.from = begin.from, .goals = goals, .limits = eased_, .least = seconds_of(piece.duration_ns)});
  if (!blend.time) return limit_obstacle(blend.joint, blend.fault);
  if (wish.is_of_tool) {
    if (make_tool_piece(begin, share, *blend.time, piece)) return {};
    return {.reason = JogReason::Singularity,
            .words = "the arm cannot move its tool straight on from this posture"};
  }
  for (std::size_t k = 0; k < goals.size(); ++k)
    piece.polynomials.push_back(blend_to(begin.from[k], goals[k], *blend.time));
  return {};
}

// Adds a way to rest to the pieces before it, and looks at all of it.
LiveMotion::Attempt LiveMotion::rest_from(const Begin& begin, std::vector<LivePiece> before,
                                          std::vector<AxisState> from) const {
  const BlendTime rest = shortest_blend({.from = from, .limits = limits_, .least = kShortestRest});
  if (!rest.time) return {.why = limit_obstacle(rest.joint, rest.fault)};
  LivePiece piece{.start_ns = before.empty() ? begin.at_ns : before.back().end_ns(),
                  .duration_ns = static_cast<std::int64_t>(std::ceil(1e9 * *rest.time))};
  for (const AxisState& state : from)
    piece.polynomials.push_back(blend_to(state, {}, seconds_of(piece.duration_ns)));
  if (Obstacle why = check_limits(piece); why.reason != JogReason::None) return {.why = std::move(why)};
  before.push_back(std::move(piece));
  if (Obstacle why = check_room(before, begin.q_all); why.reason != JogReason::None)
    return {.why = std::move(why)};
  return {.plan = std::move(before)};
}

// The tool blends to the wished twist, all its components in step; the joints follow it.
bool LiveMotion::make_tool_piece(const Begin& begin, double share, double time, LivePiece& piece) const {
  const double at = seconds_of(piece.duration_ns);
  const ToolMotion& now = *begin.tool;
  ToolMotion to;
  Vector3 turned;
  const auto blend = [&](const VelocityGoal& goal, double velocity, double acceleration) {
    return evaluate(blend_to({.velocity = velocity, .acceleration = acceleration},
                             {share * goal.velocity, share * goal.acceleration}, time),
                    at);
  };
  for (int i = 0; i < 3; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const CurvePoint linear = blend(begin.tool_goals[k], now.velocity.linear[i], now.acceleration.linear[i]);
    const CurvePoint angular =
        blend(begin.tool_goals[k + 3], now.velocity.angular[i], now.acceleration.angular[i]);
    to.X_BT.position[i] = now.X_BT.position[i] + linear.value;
    to.velocity.linear[i] = linear.first;
    to.acceleration.linear[i] = linear.second;
    turned[i] = angular.value;
    to.velocity.angular[i] = angular.first;
    to.acceleration.angular[i] = angular.second;
  }
  to.X_BT.rotation = (quaternion_from_rotation_vector(turned) * now.X_BT.rotation).normalized();
  const SerialChain& chain = arm_->chain();
  JointVector guess = arm_joints(begin.from);
  for (std::size_t i = 0; i < slot_of_chain_.size(); ++i) {
    const AxisState& from = begin.from[slot_of_chain_[i]];
    guess[static_cast<Eigen::Index>(i)] += at * (from.velocity + at * from.acceleration / 2.0);
  }
  JointMotionState joints = joints_for(chain, to, guess);
  // what a redundant arm does beside its tool's motion goes with its velocities, too
  for (std::size_t i = 0; i < slot_of_chain_.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    const AxisState& from = begin.from[slot_of_chain_[i]];
    guess[k] = from.position + at / 2.0 * (from.velocity + joints.velocity[k]) +
               at * at / 12.0 * (from.acceleration - joints.acceleration[k]);
  }
  joints = joints_for(chain, to, guess);
  if (!joints.is_found) return false;
  piece.polynomials.resize(begin.from.size());
  for (std::size_t i = 0; i < slot_of_chain_.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    piece.polynomials[slot_of_chain_[i]] = quintic_between(
        point_of(begin.from[slot_of_chain_[i]]),
        {.value = joints.q[k], .first = joints.velocity[k], .second = joints.acceleration[k]}, at);
  }
  return true;
}

std::string LiveMotion::joint_name(std::size_t k) const {
  return model_.joints[model_.positions[sent_.joints()[k]]].name;
}

LiveMotion::Obstacle LiveMotion::limit_obstacle(std::size_t k, SegmentFault fault) const {
  const Joint& joint = model_.joints[model_.positions[sent_.joints()[k]]];
  const auto text = [&](double position) {
    return joint.kind == JointKind::Prismatic ? length_text(position) : angle_text(position);
  };
  if (fault == SegmentFault::Position)
    return {.reason = JogReason::JointLimit,
            .words = fmt::format("joint '{}' comes to its limit: it may go from {} to {}", joint.name,
                                 text(joint.limits.lower), text(joint.limits.upper))};
  return {.reason = JogReason::SpeedLimit,
          .words = fmt::format("joint '{}' could not change its speed so soon", joint.name)};
}

LiveMotion::Obstacle LiveMotion::check_limits(const LivePiece& piece) const {
  for (std::size_t k = 0; k < limits_.size(); ++k) {
    const SegmentCheck check =
        check_polynomial(piece.polynomials[k], seconds_of(piece.duration_ns), limits_[k]);
    if (check.fault != SegmentFault::None) return limit_obstacle(k, check.fault);
  }
  return {};
}

// The way of a plan, in parts that are all but straight.
LiveMotion::Obstacle LiveMotion::check_room(const std::vector<LivePiece>& plan,
                                            std::span<const double> q_all) const {
  std::vector<double> q(q_all.begin(), q_all.end());
  for (std::size_t k = 0; k < limits_.size(); ++k) q[sent_.joints()[k]] = plan[0].polynomials[k][0];
  for (const LivePiece& piece : plan) {
    const double length = seconds_of(piece.duration_ns);
    const bool is_short = piece.duration_ns <= settings_.piece_ns;
    for (const double part : {0.25, 0.5, 1.0}) {
      if (is_short && part < 1.0) continue;
      const double from = is_short ? 0.0 : (part == 1.0 ? 0.5 : part - 0.25);
      if (Obstacle why = sweep(piece, from * length, part * length, q); why.reason != JogReason::None)
        return why;
    }
  }
  return {};
}

// From `q`, where the piece is at `from`, to where it is at `to` [s]; `q` goes with it.
LiveMotion::Obstacle LiveMotion::sweep(const LivePiece& piece, double from, double to,
                                       std::vector<double>& q) const {
  std::vector<double> next = q;
  std::vector<double> slack(q.size(), 0.0);
  for (std::size_t k = 0; k < limits_.size(); ++k) {
    const std::size_t i = sent_.joints()[k];
    next[i] = evaluate(piece.polynomials[k], to).value;
    // off the straight way between them: least in the middle of it seen, doubled
    const double middle = evaluate(piece.polynomials[k], 0.5 * (from + to)).value;
    slack[i] = 2.0 * std::abs(middle - 0.5 * (q[i] + next[i]));
  }
  const CheckResult result =
      room_.sweep_wide(q, next, {.slack = slack, .may_leave = true, .skips_still = true});
  q = std::move(next);
  if (result.verdict == Verdict::Clear) return {};
  return {.reason = JogReason::Collision,
          .words = too_near_sentence({.a = room_.name_of(result.contact.link_a, result.contact.object_a),
                                      .b = room_.name_of(result.contact.link_b, result.contact.object_b),
                                      .distance = result.contact.distance,
                                      .margin = result.contact.margin})};
}

}  // namespace sinew
