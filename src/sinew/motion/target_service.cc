// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/target_service.h"

#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"
#include "sinew/motion/program_device.h"

namespace sinew {
namespace {

// apart from the steps of programs
constexpr std::uint64_t kFirstStep = std::uint64_t{1} << 62U;

language::GripperAction hand_action(const Request& request) {
  return {.gripper = std::string(text_of(request.text)),
          .kind = language::GripperKind::Width,
          .width = request.value};
}

}  // namespace

Request arm_request_of(const Request& target, bool is_behind) {
  Request arm = target;
  arm.verb = RequestVerb::MoveTool;
  arm.frame = RequestFrame::Base;
  arm.component_mask = 63;
  arm.text = {};
  arm.rpy[2] = std::atan2(target.position[1], target.position[0]) + (is_behind ? std::numbers::pi : 0.0);
  return arm;
}

bool TargetService::take_request(std::uint64_t number, const Request& request, std::int64_t now_ns) {
  if (request.verb == RequestVerb::Stop)
    hold_hands(fmt::format("stopped by request {} of '{}'", number, text_of(request.who)));
  if (request.verb != RequestVerb::MoveTarget) return false;
  if (const Status good = check(request); !good) {
    refuse(number, good.error().message, now_ns);
    return true;
  }
  const std::string why = fmt::format("replaced by request {} of '{}'", number, text_of(request.who));
  hold_hands(why);
  for (const Target& target : targets_) motion_.end_step(target.step, why, now_ns);
  Target& target = targets_.emplace_back(Target{.number = number, .request = request});
  ask_arm(target, Stage::Front, now_ns);
  return true;
}

// The service ends what moves; a target that is between arm and hand must not go on either.
void TargetService::hold_hands(const std::string& why) {
  for (Target& target : targets_) {
    if (!target.news || target.news->status != ReplyStatus::Done) continue;
    target.news->status = ReplyStatus::Aborted;
    set_text(target.news->reason, why);
  }
}

// What must be right before anything moves.
Status TargetService::check(const Request& request) const {
  if (const Status allowed = motion_.allows(text_of(request.who)); !allowed) return allowed;
  if (request.order != RequestOrder::Now)
    return Error{ErrorCode::InvalidInput, "a target is carried out at once: it cannot wait behind others"};
  if (request.hold != 0) return Error{ErrorCode::InvalidInput, "a target cannot be tied to a key"};
  if (!std::isfinite(request.value))
    return Error{ErrorCode::InvalidInput, "the width of the hand is no finite number"};
  if (request.value < 0.0) return Done{};
  const auto hand = gripper_order(model_, hand_action(request), motion_.robot().sent());
  if (!hand) return hand.error();
  if (hand->joint_mask != 0) return Done{};
  return Error{ErrorCode::InvalidInput,
               "this hand opens and closes by an output and has no width: give a width below zero"};
}

void TargetService::ask_arm(Target& target, Stage stage, std::int64_t now_ns) {
  target.stage = stage;
  target.step = kFirstStep + ++last_step_;
  const Request arm = arm_request_of(target.request, stage == Stage::Behind);
  motion_.take_step(target.number, target.step, arm, now_ns);
}

void TargetService::ask_hand(Target& target, std::int64_t now_ns) {
  auto hand = gripper_order(model_, hand_action(target.request), motion_.robot().sent());
  // it was good when the target was taken
  if (!hand) {
    target.is_over = true;
    return refuse(target.number, hand.error().message, now_ns);
  }
  target.stage = Stage::Hand;
  target.step = kFirstStep + ++last_step_;
  Request request{.stamp_ns = now_ns};
  request.who = target.request.who;
  motion_.take_step(target.number, target.step, request,
                    {.joint_mask = hand->joint_mask,
                     .trajectory = std::move(hand->trajectory),
                     .goal = std::move(hand->goal),
                     .may_fall_short = true},
                    now_ns);
}

void TargetService::take_answers(const MotionOutput& output) {
  for (const StepReply& answered : output.step_replies) {
    for (Target& target : targets_) {
      if (target.step != answered.step) continue;
      if (answered.reply.status != ReplyStatus::Accepted) {
        target.news = answered.reply;
      } else if (target.stage != Stage::Hand) {
        collected_.push_back(answered.reply);
      }
    }
  }
}

const std::vector<Reply>& TargetService::step(std::int64_t now_ns) {
  for (Target& target : targets_)
    if (const auto news = std::exchange(target.news, std::nullopt)) go_on(target, *news, now_ns);
  std::erase_if(targets_, [](const Target& target) { return target.is_over; });
  output_ = std::exchange(collected_, {});
  return output_;
}

void TargetService::go_on(Target& target, const Reply& reply, std::int64_t now_ns) {
  const bool is_done = reply.status == ReplyStatus::Done;
  if (target.stage == Stage::Hand) {
    Reply last = target.first;
    last.stamp_ns = reply.stamp_ns;
    last.status = reply.status;
    set_text(last.reason, is_done ? std::string(text_of(reply.reason))
                                  : fmt::format("the arm has arrived; the hand: {}", text_of(reply.reason)));
    return finish(target, last);
  }
  if (reply.status == ReplyStatus::Unreachable && target.stage == Stage::Front) {
    target.first = reply;
    return ask_arm(target, Stage::Behind, now_ns);
  }
  // from the front it is what people mean
  if (reply.status == ReplyStatus::Unreachable) return finish(target, target.first);
  if (!is_done || target.request.value < 0.0) return finish(target, reply);
  target.first = reply;
  ask_hand(target, now_ns);
}

void TargetService::finish(Target& target, Reply reply) {
  reply.request = target.number;
  collected_.push_back(reply);
  target.is_over = true;
}

void TargetService::refuse(std::uint64_t number, const std::string& why, std::int64_t now_ns) {
  Reply& reply = collected_.emplace_back();
  reply.stamp_ns = now_ns;
  reply.request = number;
  reply.status = ReplyStatus::Refused;
  set_text(reply.reason, why);
}

}  // namespace sinew
