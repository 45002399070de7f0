// SPDX-License-Identifier: BSD-3-Clause
#include "apps/cli/joint_motion.h"

#include <time.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/text.h"
#include "sinew/base/time.h"
#include "sinew/control/safety_text.h"

#include "apps/cli/command.h"
#include "apps/cli/who_moves.h"

namespace sinew::cli {
namespace {

constexpr std::int64_t kBetweenLooks_ns = 20 * kMillisecond_ns;
/// A reference is taken within a few of the controller's looks; without an answer so long something is wrong.
constexpr std::int64_t kAnswer_ns = 3 * kSecond_ns;
/// How long the device may take to come to where it was sent.
constexpr std::int64_t kSettling_ns = 2 * kSecond_ns;
/// Measured nearer than this is there [rad, m].
constexpr double kArrived = 0.01;

/// Looks for an answer between two looks at who lives, and how many of these may find the world paused.
constexpr int kLooksBetween = 25;
constexpr int kMostPausedLooks = 5;

const char* const kPaused =
    "the world is paused; what was asked for is done when it goes on: 'sinew sim resume'";

void rest_a_moment() {
  const timespec length{.tv_sec = 0, .tv_nsec = kBetweenLooks_ns};
  nanosleep(&length, nullptr);
}

template <class Test>
bool all_in(std::uint64_t mask, Test test) {
  for (; mask != 0; mask &= mask - 1)
    if (!test(static_cast<std::size_t>(std::countr_zero(mask)))) return false;
  return true;
}

const Joint& joint_of(const RobotModel& model, std::size_t position) {
  return model.joints[model.positions[position]];
}

/// Watches one motion until it has ended. Only what the controller says after it was given the goal counts.
class MotionWatch {
 public:
  MotionWatch(RobotLink& robot, const JointGoal& goal)
      : robot_(robot), goal_(goal), refusals_(robot.now().safety.refusals), began_ns_(monotonic_now_ns()) {
    // a filter comes ever nearer and never there
    tolerance_ = goal.smoothing == Smoothing::JerkLimited ? 1e-6 : 1e-3;
  }

  /// Done: reached, or NothingNew: still under way.
  Status look() {
    if (Status read = robot_.refresh(); !read) return read;
    const RobotSnapshot& now = robot_.now();
    if (now.safety.state != ControlState::Running) return failure(safety_words());
    const auto taken = robot_.taken_cycle();
    if (!taken) return look_untaken();
    if (now.processed.cycle < *taken) return under_way();
    if (taken_ns_ == 0) taken_ns_ = now.processed.stamp_ns;
    if (!is_wanted()) return look_unwanted();
    was_wanted_ = true;
    const bool rests =
        all_in(goal_.mask, [&](std::size_t i) { return std::abs(now.processed.velocity[i]) <= tolerance_; });
    const bool is_sent = all_in(goal_.mask, [&](std::size_t i) {
      return std::abs(now.processed.position[i] - goal_.position[i]) <= tolerance_;
    });
    if (rests && is_sent) return look_at_device();
    if (rests && (now.processed.held_mask & goal_.mask) != 0)
      return is_safety_newer() ? failure(held_words()) : under_way();
    return rests ? look_at_standstill() : under_way();
  }

 private:
  static Error failure(const std::string& why) { return {ErrorCode::OutOfLimits, why}; }
  Status under_way() {
    moved_ns_ = monotonic_now_ns();
    return Error{ErrorCode::NothingNew, ""};
  }

  bool is_wanted() const {
    return all_in(goal_.mask,
                  [&](std::size_t i) { return robot_.now().processed.wanted[i] == goal_.position[i]; });
  }

  // `safety` is told when it changes, and a few times a second: what is older may be about another goal
  bool is_safety_newer() const { return robot_.now().safety.stamp_ns >= taken_ns_; }

  Status look_untaken() {
    if (monotonic_now_ns() - began_ns_ > kAnswer_ns)
      return failure(robot_.is_paused() ? kPaused
                                        : "the controller does not take the reference; 'status' tells more");
    return under_way();
  }

  // it was given the goal and wants something else
  Status look_unwanted() {
    const Safety& safety = robot_.now().safety;
    if (!was_wanted_ && !is_safety_newer()) return under_way();
    if (!was_wanted_ && safety.refusals > refusals_ && text_of(safety.refused_who) == robot_.who())
      return failure("refused: " + refusal_sentence(safety, &robot_.model()));
    const std::vector<std::string> others = who_moves(robot_, goal_.mask);
    return failure(fmt::format("not reached: {} has commanded the joints since",
                               others.empty() ? "somebody else" : quoted(others)));
  }

  // what was sent is the goal; the device may lag
  Status look_at_device() {
    if (sent_ns_ == 0) sent_ns_ = monotonic_now_ns();
    const JointState& state = robot_.now().state;
    std::size_t far = 0;
    const bool is_there = all_in(goal_.mask, [&](std::size_t i) {
      far = i;
      return std::abs(state.position[i] - goal_.position[i]) <= kArrived;
    });
    if (is_there) return Done{};
    if (monotonic_now_ns() - sent_ns_ < kSettling_ns) return under_way();
    const Joint& joint = joint_of(robot_.model(), far);
    return failure(fmt::format("not reached: joint '{}' was sent to {} but is at {}", joint.name,
                               position_text(joint, goal_.position[far]),
                               position_text(joint, state.position[far])));
  }

  // at rest, not there, not held: just before it begins, or for a reason that we do not know
  Status look_at_standstill() {
    if (monotonic_now_ns() - std::max(began_ns_, moved_ns_) > kAnswer_ns)
      return failure(fmt::format("not reached: the joints stand still; {}",
                                 robot_.is_paused() ? kPaused : safety_words()));
    return Error{ErrorCode::NothingNew, ""};
  }

  std::string safety_words() const {
    const RobotSnapshot& now = robot_.now();
    return safety_text(now.safety, &robot_.model(), now.state.fault_bits);
  }
  std::string held_words() const {
    const RobotSnapshot& now = robot_.now();
    return "held: " + reason_sentence(now.safety, &robot_.model(), now.state.fault_bits) +
           "; move away from there, a joint or a line at a time; where every way out is held, 'override "
           "SECONDS' "
           "lets it pass while you watch";
  }

  RobotLink& robot_;
  const JointGoal& goal_;
  std::uint64_t refusals_;
  std::int64_t began_ns_;
  std::int64_t moved_ns_ = 0;
  std::int64_t sent_ns_ = 0;
  std::int64_t taken_ns_ = 0;  // robot time of a cycle that knew the goal
  double tolerance_ = 1e-6;
  bool was_wanted_ = false;
};

Error out_of_patience() {
  return {ErrorCode::Interrupted, "no longer waiting; the robot goes on, 'stop' stops it"};
}

Status end_of(const Reply& reply) {
  const std::string reason(text_of(reply.reason));
  switch (reply.status) {
    case ReplyStatus::Accepted:
    case ReplyStatus::Done:
      return Done{};
    case ReplyStatus::Refused:
      return Error{ErrorCode::OutOfLimits, reason};
    case ReplyStatus::Unreachable:
      return Error{ErrorCode::OutOfLimits, "unreachable: " + reason};
    case ReplyStatus::Blocked:
      return Error{ErrorCode::OutOfLimits, "blocked: " + reason};
    case ReplyStatus::Aborted:
      return Error{ErrorCode::Interrupted, "aborted: " + reason};
    case ReplyStatus::Strayed:
      return Error{ErrorCode::Interrupted, "strayed from its way: " + reason};
  }
  return Error{ErrorCode::Damaged, "the motion service answered something that cannot be"};
}

}  // namespace

std::vector<std::string> joint_names(const RobotModel& model) {
  std::vector<std::string> names;
  for (const std::size_t joint : model.positions) {
    names.push_back(model.joints[joint].name);
    names.insert(names.end(), model.joints[joint].aliases.begin(), model.joints[joint].aliases.end());
  }
  return names;
}

Result<std::size_t> joint_to_look_at(const RobotModel& model, std::string_view name) {
  const std::size_t joint = find_joint(model, name);
  if (joint == kNone)
    return usage_error(fmt::format("robot '{}' has no joint '{}'{}; 'sinew model {}' lists all", model.name,
                                   name, did_you_mean(name, joint_names(model)), model.name));
  if (model.joints[joint].position == kNone)
    return usage_error(fmt::format("joint '{}' has no position of its own: it is fixed, or follows another",
                                   model.joints[joint].name));
  return model.joints[joint].position;
}

Result<std::size_t> joint_to_move(const RobotModel& model, std::string_view name) {
  auto position = joint_to_look_at(model, name);
  if (!position || joint_of(model, *position).is_enabled) return position;
  return Error{ErrorCode::Denied, fmt::format("the motor of joint '{}' is not in use; see 'enabled:' in the "
                                              "robot's robot.yaml",
                                              joint_of(model, *position).name)};
}

Status check_limits(const Joint& joint, double position) {
  if (position >= joint.limits.lower && position <= joint.limits.upper) return Done{};
  return Error{ErrorCode::OutOfLimits, limit_sentence(joint, position) + "; see 'sinew model ROBOT'"};
}

Result<double> position_from(const Joint& joint, std::string_view word) {
  double unit = 1.0;
  std::string_view digits = word;
  if (word.ends_with("deg")) {
    unit = std::numbers::pi / 180.0;
    digits.remove_suffix(3);
  } else if (word.ends_with("mm")) {
    unit = 1e-3;
    digits.remove_suffix(2);
  }
  const bool is_length = joint.kind == JointKind::Prismatic;
  if (digits.size() != word.size() && is_length != word.ends_with("mm"))
    return usage_error(fmt::format("joint '{}' is measured in {}, not as in '{}'", joint.name,
                                   is_length ? "m or mm" : "rad or deg", word));
  const auto number = number_from(digits);
  if (!number) return number.error();
  const double position = *number * unit;
  if (Status within = check_limits(joint, position); !within) return within.error();
  return position;
}

Result<std::size_t> arm_named(const RobotModel& model, std::string_view name) {
  const std::size_t arm = find_arm(model, name);
  if (arm != kNone) return arm;
  std::vector<std::string> names;
  for (const Arm& one : model.arms) names.push_back(one.name);
  return usage_error(fmt::format("robot '{}' has no arm '{}'; there are: {}", model.name, name,
                                 names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
}

Status move_joints(RobotLink& robot, const JointGoal& goal, const Patience* patience) {
  if (Status read = robot.refresh(); !read) return read;
  const RobotSnapshot& now = robot.now();
  if (now.safety.state != ControlState::Running)
    return Error{ErrorCode::Denied,
                 fmt::format("the robot does not run: {}",
                             safety_text(now.safety, &robot.model(), now.state.fault_bits))};
  MotionWatch watch(robot, goal);
  const JointReference reference{
      .joint_mask = goal.mask, .smoothing = goal.smoothing, .position = goal.position};
  if (Status put = robot.put_reference(reference); !put) return put;
  while (patience != nullptr) {
    Status status = watch.look();
    if (status || status.error().code != ErrorCode::NothingNew) return status;
    if (!(*patience)()) return out_of_patience();
    rest_a_moment();
  }
  return Done{};
}

Status home_joints(RobotLink& robot, const Patience* patience) {
  if (Status read = robot.refresh(); !read) return read;
  if (Status asked = robot.ask_controller(ControlVerb::Home); !asked) return asked;
  const std::int64_t deadline_ns = monotonic_now_ns() + kAnswer_ns;
  std::int64_t taken_ns = 0;
  while (patience != nullptr) {
    if (Status read = robot.refresh(); !read) return read;
    const RobotSnapshot& now = robot.now();
    const auto taken = robot.taken_cycle();
    if (taken && taken_ns == 0 && now.processed.cycle >= *taken) taken_ns = now.processed.stamp_ns;
    // what was said before it was asked says nothing of it
    const bool is_told = taken_ns != 0 && now.safety.stamp_ns >= taken_ns;
    if (is_told && now.safety.state == ControlState::Running) return Done{};
    if (is_told && now.safety.state != ControlState::Homing && now.safety.state != ControlState::Starting)
      return Error{ErrorCode::Denied,
                   "not homed: " + safety_text(now.safety, &robot.model(), now.state.fault_bits)};
    if (taken_ns == 0 && monotonic_now_ns() > deadline_ns)
      return Error{ErrorCode::TimedOut,
                   robot.is_paused() ? kPaused : "the controller does not take it; 'status' tells more"};
    if (!(*patience)()) return out_of_patience();
    rest_a_moment();
  }
  return Done{};
}

Status ask_and_wait(RobotLink& robot, const Request& request, const Patience* patience, std::string* words) {
  const auto number = robot.ask_motion(request);
  if (!number) return number.error();
  std::int64_t deadline_ns = monotonic_now_ns() + kAnswer_ns;
  int paused_looks = 0;
  for (int look = 1;; ++look) {
    const auto reply = robot.next_reply(*number);
    if (reply && words != nullptr) *words = text_of(reply->reason);
    if (reply && (reply->status != ReplyStatus::Accepted || patience == nullptr)) return end_of(*reply);
    if (reply) deadline_ns = kNever_ns;
    // looking whether it lives costs more than looking for its answer
    const bool looks_around = look % kLooksBetween == 0;
    if (looks_around && !robot.has_motion_service())
      return Error{ErrorCode::Gone, "the motion service has ended meanwhile"};
    paused_looks = !looks_around ? paused_looks : robot.is_paused() ? paused_looks + 1 : 0;
    if (paused_looks == kMostPausedLooks) return Error{ErrorCode::TimedOut, kPaused};
    if (monotonic_now_ns() > deadline_ns)
      return Error{ErrorCode::TimedOut, "the motion service does not answer; 'sinew status' tells more"};
    if (patience != nullptr && !(*patience)()) return out_of_patience();
    rest_a_moment();
  }
}

Status jog_step(RobotLink& robot, JogWish wish, const Patience* patience) {
  constexpr std::int64_t kLease_ns = 500 * kMillisecond_ns;
  wish.lease_ns = kLease_ns;
  wish.stamp_ns = robot.robot_time_ns();
  if (const Status put = robot.put_jog(wish); !put) return put;
  const std::int64_t deadline_ns = monotonic_now_ns() + kAnswer_ns;
  bool is_taken = false;
  while (true) {
    const auto state = robot.jog_state();
    if (state && state->wish_ns == wish.stamp_ns && text_of(state->who) == robot.who()) {
      is_taken = true;
      if (state->phase == JogPhase::Stopped || state->phase == JogPhase::Refused)
        return Error{ErrorCode::OutOfLimits, std::string(text_of(state->words))};
      if (state->phase == JogPhase::Idle || patience == nullptr) return Done{};
    }
    if (!is_taken && monotonic_now_ns() > deadline_ns)
      return Error{
          ErrorCode::TimedOut,
          robot.is_paused() ? kPaused : "the motion service does not take it; 'sinew status' tells more"};
    if (is_taken && !robot.has_motion_service())
      return Error{ErrorCode::Gone, "the motion service has ended meanwhile"};
    if (patience != nullptr && !(*patience)()) return out_of_patience();
    rest_a_moment();
  }
}

}  // namespace sinew::cli
