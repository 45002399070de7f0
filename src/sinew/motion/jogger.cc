// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/jogger.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/text.h"
#include "sinew/collision/contact_text.h"
#include "sinew/model/positions.h"
#include "sinew/motion/jog_step.h"
#include "sinew/motion/straight_way.h"

namespace sinew {
namespace {

constexpr double kSlowestJog = 0.01;
constexpr double kAsWished = 0.98;       // a share that counts as the whole
constexpr double kLongestJogStep = 0.1;  // [m]
constexpr double kWidestJogStep = 0.35;  // [rad]
constexpr std::int64_t kJogFuture_ns = 100 * kMillisecond_ns;
constexpr std::int64_t kOldWish_ns = kSecond_ns;  // an older one is of no key that is held
constexpr std::int64_t kBetweenStates_ns = 100 * kMillisecond_ns;

Vector3 axes_of(const std::array<double, 3>& numbers) {
  return {numbers[0], numbers[1], numbers[2]};
}

bool are_numbers_finite(std::span<const double> numbers) {
  return std::ranges::all_of(numbers, [](double number) { return std::isfinite(number); });
}

bool is_of_joints(const JogWish& wish) {
  return wish.frame == JogFrame::Joints;
}

// Whether a key is held at all; with zeros the stream goes on, and the joints rest.
bool wants_motion(const JogWish& wish) {
  const auto is_set = [](double number) { return number != 0.0; };
  if (!is_of_joints(wish))
    return std::ranges::any_of(wish.linear, is_set) || std::ranges::any_of(wish.angular, is_set);
  for (std::size_t i = 0; i < kMaxJoints; ++i)
    if ((wish.joint_mask >> i & 1) != 0 && wish.joint_velocity[i] != 0.0) return true;
  return false;
}

// Nothing is to move, in whatever frame: the key is let go.
bool lets_go(const JogWish& wish) {
  const auto is_zero = [](double number) { return number == 0.0; };
  return wish.is_step == 0 && std::ranges::all_of(wish.joint_velocity, is_zero) &&
         std::ranges::all_of(wish.linear, is_zero) && std::ranges::all_of(wish.angular, is_zero);
}

Error bad_wish(std::string words) {
  return Error{ErrorCode::InvalidInput, std::move(words)};
}

}  // namespace

Jogger::Jogger(const RobotModel& model, RouteFinder& room, const JogSettings& settings)
    : model_(model),
      room_(room),
      settings_(settings),
      enabled_mask_(enabled_mask(model)),
      live_(model, room, settings.live) {}

std::int64_t Jogger::lease_of(const JogWish& wish) const {
  if (wish.lease_ns == 0) return settings_.usual_lease_ns;
  return std::min(wish.lease_ns, settings_.longest_lease_ns);
}

Status Jogger::check_numbers(const JogWish& wish) const {
  if (wish.frame > JogFrame::User)
    return bad_wish(fmt::format("there is no frame {}: 0 joints, 1 base, 2 tool, 3 user",
                                static_cast<std::uint32_t>(wish.frame)));
  if (wish.is_step > 1) return bad_wish(fmt::format("is_step is {}: it is 0 or 1", wish.is_step));
  if (!(wish.speed >= kSlowestJog && wish.speed <= 1.0))
    return bad_wish(
        fmt::format("speed {} cannot be: it is a share of the limits, {} to 1", wish.speed, kSlowestJog));
  const bool are_numbers = are_numbers_finite(wish.joint_velocity) && are_numbers_finite(wish.linear) &&
                           are_numbers_finite(wish.angular) && are_numbers_finite(wish.frame_rpy);
  return are_numbers ? Status(Done{}) : bad_wish("a velocity or angle of the wish is no finite number");
}

Status Jogger::check_time(const JogWish& wish, std::int64_t now_ns) const {
  if (wish.lease_ns < 0) return bad_wish(fmt::format("its lease is {}", duration_text(wish.lease_ns)));
  // compared without a sum that could overflow
  if (wish.stamp_ns > now_ns + kJogFuture_ns)
    return bad_wish(fmt::format("its stamp is {} in the future: stamps are robot time",
                                duration_text(std::min(wish.stamp_ns - now_ns, 1000 * kSecond_ns))));
  if (wish.stamp_ns < now_ns - lease_of(wish))
    return bad_wish("it came after its lease had run out: stamps are robot time");
  return Done{};
}

Status Jogger::check_joints(std::uint64_t joint_mask) const {
  const std::size_t count = model_.positions.size();
  const std::uint64_t all = ~std::uint64_t{0} >> (kMaxJoints - count);
  if (joint_mask == 0 || (joint_mask & ~all) != 0)
    return bad_wish(
        fmt::format("joint_mask {:#x} names no joint, or one that the robot does not have: it has {}",
                    joint_mask, count));
  const std::uint64_t unused = joint_mask & ~enabled_mask_;
  if (unused == 0) return Done{};
  const auto joint = static_cast<std::size_t>(std::countr_zero(unused));
  return Error{ErrorCode::Denied, fmt::format("joint '{}' has no motor in use; see 'enabled' in robot.yaml",
                                              model_.joints[model_.positions[joint]].name)};
}

Status Jogger::check_step(const JogWish& wish) const {
  if (wish.is_step == 0) return Done{};
  if (!is_of_joints(wish) && axes_of(wish.linear).norm() > kLongestJogStep)
    return bad_wish(fmt::format("a step of {} is too long: at most {}",
                                length_text(axes_of(wish.linear).norm()), length_text(kLongestJogStep)));
  double widest = is_of_joints(wish) ? 0.0 : axes_of(wish.angular).norm();
  for (std::size_t i = 0; is_of_joints(wish) && i < kMaxJoints; ++i)
    if ((wish.joint_mask >> i & 1) != 0) widest = std::max(widest, std::abs(wish.joint_velocity[i]));
  if (widest > kWidestJogStep)
    return bad_wish(
        fmt::format("a step of {} is too wide: at most {}", angle_text(widest), angle_text(kWidestJogStep)));
  return Done{};
}

Result<const ArmSolver*> Jogger::arm_named(const std::string& arm, const std::string& tool) {
  const auto known = arms_.find({arm, tool});
  if (known != arms_.end()) return known->second.get();
  auto made = ArmSolver::make(model_, arm, tool);
  if (!made) return made.error();
  return arms_.emplace(std::pair(arm, tool), *std::move(made)).first->second.get();
}

// The whole arm that these joints are of, so that another of them can join in without a stop.
std::uint64_t Jogger::joints_around(std::uint64_t joint_mask) const {
  for (const Arm& arm : model_.arms) {
    const std::uint64_t mask = arm_mask(model_, arm);
    if ((joint_mask & ~mask) == 0 && (mask & ~enabled_mask_) == 0) return mask;
  }
  return joint_mask;
}

Result<Jogger::Wish> Jogger::understand(const JogWish& message, std::int64_t now_ns) {
  for (const Status& checked : {check_numbers(message), check_time(message, now_ns), check_step(message)})
    if (!checked) return checked.error();
  Wish wish{.message = message, .until_ns = message.stamp_ns + lease_of(message)};
  if (is_of_joints(message)) {
    if (const Status checked = check_joints(message.joint_mask); !checked) return checked.error();
    wish.joint_mask = joints_around(message.joint_mask);
    return wish;
  }
  const auto arm = arm_named(std::string(text_of(message.arm)), std::string(text_of(message.tool)));
  if (!arm) return arm.error();
  wish.arm = *arm;
  wish.joint_mask = (*arm)->joint_mask();
  if (const Status checked = check_joints(wish.joint_mask); !checked) return checked.error();
  return wish;
}

// Letting go is never refused: it names no joint, needs no right, and counts however late it comes.
void Jogger::let_go(const JogWish& message, std::int64_t now_ns) {
  old_presses_.erase(std::string(text_of(message.who)));
  if (!wish_ || wish_->message.is_step != 0 || text_of(message.who) != text_of(wish_->message.who)) return;
  wish_->message.joint_velocity = {};
  wish_->message.linear = {};
  wish_->message.angular = {};
  // whoever goes on saying so keeps the joints in hand
  if (check_time(message, now_ns)) wish_->until_ns = message.stamp_ns + lease_of(message);
}

void Jogger::take_old_wish(const JogWish& wish, std::int64_t age_ns) {
  const std::string who(text_of(wish.who));
  const bool is_held = wants_motion(wish) && wish.is_step == 0 && age_ns < kOldWish_ns;
  if (is_held) old_presses_[who] = wish.stamp_ns + age_ns + settings_.longest_lease_ns;
  if (!is_held) old_presses_.erase(who);
}

// Whether it goes on with a press that began before this service did.
bool Jogger::is_of_old_press(const JogWish& wish) {
  const auto old = old_presses_.find(text_of(wish.who));
  if (old == old_presses_.end() || wish.is_step != 0) return false;
  if (wants_motion(wish) && wish.stamp_ns <= old->second) {
    old->second = wish.stamp_ns + lease_of(wish);
    return true;
  }
  old_presses_.erase(old);
  return false;
}

void Jogger::take_wish(const JogWish& message, const RobotView& robot, std::int64_t now_ns) {
  if (lets_go(message)) return let_go(message, now_ns);
  const auto refuse = [&](JogReason reason, const std::string& words) {
    ++state_.refusals;
    // what somebody else is doing goes on
    if (is_busy()) return;
    // a step is asked for once, so its refusal is told even if it is like the one before; the wishes of a key
    // are told once, unless the refusal before was another's, or in other words
    const bool is_another =
        text_of(state_.who) != text_of(message.who) || !words.starts_with(text_of(state_.words));
    say(JogPhase::Refused, reason, words);
    state_.wish_ns = message.stamp_ns;
    state_.who = message.who;
    has_news_ = has_news_ || message.is_step == 1 || is_another;
  };
  auto wish = understand(message, now_ns);
  if (!wish) return refuse(JogReason::BadWish, wish.error().message);
  if (is_of_old_press(message))
    return refuse(JogReason::OldPress,
                  "the key has been held since before the motion service began: let go, and press it again");
  if (const Status ready = robot.is_ready(now_ns); !ready)
    return refuse(JogReason::NotReady, ready.error().message);
  const std::string_view who = text_of(message.who);
  if (wish_ && who != text_of(wish_->message.who))
    return refuse(JogReason::Busy, fmt::format("'{}' is jogging", text_of(wish_->message.who)));
  if (const Status allowed = may_jog_ ? may_jog_(who, wish->joint_mask) : Done{}; !allowed)
    return refuse(JogReason::NotAllowed, allowed.error().message);
  if (wish_ && wish_->message.is_step != 0)
    return refuse(JogReason::Busy, "a step is being made; wait for its end");
  if (message.is_step != 0 && live_.joint_mask() != 0 && !live_.rests(now_ns))
    return refuse(JogReason::Busy, "a step begins at rest; let go first");
  wish_ = *std::move(wish);
}

// A step holds until it is made, a stream as long as its newest wish.
bool Jogger::has_wish(std::int64_t now_ns) {
  if (!wish_) return false;
  if (wish_->message.is_step != 0 || now_ns <= wish_->until_ns) return true;
  const bool was_moving = wants_motion(wish_->message);
  wish_.reset();
  if (was_moving)
    say(JogPhase::Idle, JogReason::Silent, "stopped: no wishes came any more");
  else
    say(JogPhase::Idle, JogReason::None, "");
  return false;
}

const JogOutput& Jogger::step(const RobotView& robot, std::int64_t now_ns) {
  output_.segments.clear();
  output_.reference.reset();
  output_.state.reset();
  if (const Status ready = robot.is_ready(now_ns); !ready) {
    if (is_busy()) say(JogPhase::Stopped, JogReason::NotReady, ready.error().message);
    wish_.reset();
    live_.end();
  } else if (live_.joint_mask() != 0 && !live_.take_command(robot, now_ns)) {
    const bool is_held = (robot.safety().held_mask & live_.joint_mask()) != 0;
    say(JogPhase::Stopped, JogReason::Interrupted,
        is_held ? robot.held_words() : "something else moved the joints");
    live_.end();
    if (wish_ && wish_->message.is_step != 0) wish_.reset();
  }
  const bool is_wished = has_wish(now_ns);
  const bool is_other = is_wished && live_.joint_mask() != 0 && live_.joint_mask() != wish_->joint_mask;
  if (live_.joint_mask() != 0 && (!is_wished || is_other)) end_with_rest(robot, now_ns);
  if (is_wished && !is_other && take_in_hand(robot, now_ns)) move(robot, now_ns);
  if (has_news_ || (is_busy() && now_ns - state_.stamp_ns >= kBetweenStates_ns)) {
    state_.stamp_ns = now_ns;
    state_.lead_ns = live_.lead_ns();
    output_.state = state_;
    has_news_ = false;
  }
  return output_;
}

void Jogger::end_with_rest(const RobotView& robot, std::int64_t now_ns) {
  live_.stop(robot.sent(), now_ns, output_.segments);
  if (!live_.rests(now_ns)) return;
  live_.end();
}

// Whether the joints are in hand. A motion begins at rest.
bool Jogger::take_in_hand(const RobotView& robot, std::int64_t now_ns) {
  if (live_.joint_mask() == wish_->joint_mask) return true;
  if (!wants_motion(wish_->message)) return false;
  if (!bring_to_rest(robot, wish_->joint_mask, now_ns, has_halted_, output_.reference)) {
    say(JogPhase::Slowed, JogReason::Busy, "waits until the joints rest");
    return false;
  }
  live_.begin(wish_->joint_mask, wish_->arm, robot.sent(), next_motion_++);
  return true;
}

void Jogger::move(const RobotView& robot, std::int64_t now_ns) {
  if (wish_->message.is_step != 0) return make_step(robot, now_ns);
  if (!wants_motion(wish_->message)) {
    live_.stop(robot.sent(), now_ns, output_.segments);
    state_.share = 0.0;
    return say(JogPhase::Idle, JogReason::None, "");
  }
  live_.set_arm(wish_->arm);
  double tool_share = 1.0;
  const LiveOutcome outcome =
      live_.go(live_wish(live_.next_ns(now_ns), tool_share), robot.sent(), now_ns, output_.segments);
  state_.share = tool_share * outcome.share;
  state_.smallest_singular_value = outcome.smallest_singular_value;
  if (outcome.is_standing) return say(JogPhase::Stopped, outcome.reason, outcome.words);
  if (outcome.share < kAsWished) return say(JogPhase::Slowed, outcome.reason, outcome.words);
  if (tool_share == 1.0) return say(JogPhase::Moving, JogReason::None, "");
  say(JogPhase::Slowed, JogReason::SpeedLimit,
      fmt::format("the tool jogs at {} a second and {} a second at most",
                  length_text(wish_->message.speed * settings_.linear),
                  angle_text(wish_->message.speed * settings_.angular)));
}

Quaternion Jogger::axes_of_wish(std::span<const AxisState> states) const {
  const JogWish& wish = wish_->message;
  if (wish.frame == JogFrame::User)
    return quaternion_from({wish.frame_rpy[0], wish.frame_rpy[1], wish.frame_rpy[2]});
  if (wish.frame != JogFrame::Tool) return Quaternion::Identity();
  const JointVector q = live_.arm_joints(states);
  return wish_->arm->chain().tool_pose({q.data(), static_cast<std::size_t>(q.size())}).rotation;
}

// `share`: what the bounds of the tool leave of it.
LiveWish Jogger::live_wish(std::int64_t at_ns, double& share) const {
  const JogWish& message = wish_->message;
  LiveWish wish{.is_of_tool = wish_->arm != nullptr, .speed = message.speed};
  if (!wish.is_of_tool) {
    for (const std::size_t i : live_.joints()) {
      const bool is_meant = (message.joint_mask >> i & 1) != 0;
      wish.joints.push_back({.velocity = is_meant ? message.joint_velocity[i] : 0.0});
    }
    return wish;
  }
  const double linear = axes_of(message.linear).norm();
  const double angular = axes_of(message.angular).norm();
  if (linear > message.speed * settings_.linear) share = message.speed * settings_.linear / linear;
  if (angular > message.speed * settings_.angular)
    share = std::min(share, message.speed * settings_.angular / angular);
  const Quaternion R_BF = axes_of_wish(live_.states_at(at_ns));
  wish.V_BT = {.linear = share * (R_BF * axes_of(message.linear)),
               .angular = share * (R_BF * axes_of(message.angular))};
  return wish;
}

void Jogger::make_step(const RobotView& robot, std::int64_t now_ns) {
  if (live_.has_sent()) {
    state_.share = 1.0;
    if (!live_.rests(now_ns)) return say(JogPhase::Moving, JogReason::None, "");
    wish_.reset();
    live_.end();
    return say(JogPhase::Idle, JogReason::None, "the step is made");
  }
  const auto fail = [&](JogReason reason, const std::string& words) {
    say(JogPhase::Stopped, reason, words);
    has_news_ = true;
    wish_.reset();
    live_.end();
  };
  live_.set_arm(wish_->arm);
  const auto trajectory = plan_step(robot.sent());
  if (!trajectory) return fail(JogReason::JointLimit, trajectory.error().message);
  if (const Status is_free = check_step_room(*trajectory, robot.sent()); !is_free)
    return fail(JogReason::Collision, is_free.error().message);
  if (trajectory->piece_count() == 0) return fail(JogReason::None, "the step leads nowhere");
  std::vector<LivePiece> plan;
  std::int64_t start_ns = live_.next_ns(now_ns);
  for (std::size_t piece = 0; piece < trajectory->piece_count(); ++piece) {
    LivePiece& next = plan.emplace_back();
    next.start_ns = start_ns;
    next.duration_ns = std::llround(1e9 * trajectory->piece_length(piece));
    for (std::size_t k = 0; k < live_.joints().size(); ++k)
      next.polynomials.push_back(trajectory->polynomial(piece, k));
    start_ns = next.end_ns();
  }
  live_.send(std::move(plan), now_ns, output_.segments);
  say(JogPhase::Moving, JogReason::None, "");
}

Result<Trajectory> Jogger::plan_step(std::span<const double> q_all) const {
  const JogWish& message = wish_->message;
  if (wish_->arm != nullptr) {
    const Quaternion R_BF = axes_of_wish(live_.states_at(0));
    return plan_tool_step(
        *wish_->arm, q_all,
        {.way = {.linear = R_BF * axes_of(message.linear), .angular = R_BF * axes_of(message.angular)},
         .speed = message.speed,
         .linear = message.speed * settings_.linear,
         .angular = message.speed * settings_.angular},
        live_.limits());
  }
  std::vector<double> to(q_all.begin(), q_all.end());
  for (std::size_t i = 0; i < to.size(); ++i) {
    if ((message.joint_mask >> i & 1) == 0) continue;
    to[i] += message.joint_velocity[i];
    const Joint& joint = model_.joints[model_.positions[i]];
    const auto text = [&](double position) {
      return joint.kind == JointKind::Prismatic ? length_text(position) : angle_text(position);
    };
    if (to[i] < joint.limits.lower || to[i] > joint.limits.upper)
      return Error{ErrorCode::OutOfLimits,
                   fmt::format("the step would bring joint '{}' to {}: its limits are {} to {}", joint.name,
                               text(to[i]), text(joint.limits.lower), text(joint.limits.upper))};
  }
  Trajectory trajectory(live_.joints().size());
  append_straight_way(
      model_, {.from = q_all, .to = to, .joint_mask = wish_->joint_mask, .speed = message.speed}, trajectory);
  return trajectory;
}

Status Jogger::check_step_room(const Trajectory& trajectory, std::span<const double> q_all) const {
  std::vector<double> q(q_all.begin(), q_all.end());
  for (std::size_t piece = 0; piece < trajectory.piece_count(); ++piece) {
    std::vector<double> next = q;
    for (std::size_t k = 0; k < live_.joints().size(); ++k)
      next[live_.joints()[k]] =
          evaluate(trajectory.polynomial(piece, k), trajectory.piece_length(piece)).value;
    const CheckResult result = room_.sweep_wide(q, next, {.may_leave = true, .skips_still = true});
    if (result.verdict != Verdict::Clear)
      return Error{ErrorCode::Denied,
                   too_near_sentence({.a = room_.name_of(result.contact.link_a, result.contact.object_a),
                                      .b = room_.name_of(result.contact.link_b, result.contact.object_b),
                                      .distance = result.contact.distance,
                                      .margin = result.contact.margin})};
    q = std::move(next);
  }
  return Done{};
}

void Jogger::say(JogPhase phase, JogReason reason, const std::string& words) {
  const bool is_new = phase != state_.phase || reason != state_.reason;
  state_.phase = phase;
  state_.reason = reason;
  set_text(state_.words, words);
  if (wish_) {
    state_.wish_ns = wish_->message.stamp_ns;
    state_.who = wish_->message.who;
  }
  has_news_ = has_news_ || is_new;
}

}  // namespace sinew
