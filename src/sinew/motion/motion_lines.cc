// SPDX-License-Identifier: BSD-3-Clause
// Lines and circles of requests, and how those that are queued run into each other.
#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"
#include "sinew/motion/motion_service.h"

namespace sinew {
namespace {

/// As many are planned together: all that can wait.
constexpr std::size_t kMostJoined = MotionQueue::kMostQueued + 1;

}  // namespace

// Along a line or a circle, and on along those that are queued behind it, as far as blend radii reach.
bool MotionService::plan_tool_path(Motion& motion, std::int64_t now_ns) {
  const auto goal = motion.arm->goal_of(motion.request, counted_from(motion));
  if (goal) motion.goal = *goal;
  std::vector<Request> requests{motion.request};
  for (const JoinedRequest& joined : motion.joined) requests.push_back(joined.request);
  const std::size_t own = requests.size();
  std::vector<Motion*> next = next_of(motion);
  for (const Motion* other : next) requests.push_back(other->request);
  MovePlan plan;
  do {
    // what cannot be is told when it has its turn, after those before it
    if (plan.refusal) requests.resize(std::max(own, plan.refusal->move));
    plan = moves_.plan(requests, *motion.arm, posture_of_others(motion), counted_from(motion));
    if (is_put_off_) return false;
  } while (!plan && plan.refusal->move >= own && plan.refusal->move < requests.size());
  if (!plan && requests.size() > own) {
    requests.resize(own);
    plan = moves_.plan(requests, *motion.arm, posture_of_others(motion), counted_from(motion));
    if (is_put_off_) return false;
  }
  if (!plan) {
    const ReplyStatus status = reply_status(plan.refusal->fault);
    if (status == ReplyStatus::Refused) ++refusals_;
    answer(motion, status, plan.refusal->words, now_ns);
    return false;
  }
  motion.stops = {plan.planned.postures.back()};
  next.resize(requests.size() - own);
  join(motion, next, plan.planned, now_ns);
  const auto& notes = plan.planned.notes;
  set_way(motion, std::move(plan.planned.trajectory), now_ns, notes.empty() ? "" : notes.front().words);
  return true;
}

// Those that wait behind it and are run into: of the same person, arm and tool. A goal that is relative to
// the tool is not known before the tool is there.
std::vector<MotionInHand*> MotionService::next_of(const Motion& motion) {
  std::vector<Motion*> next;
  const Request* last = motion.joined.empty() ? &motion.request : &motion.joined.back().request;
  bool is_behind = false;
  for (Motion& other : queue_.all()) {
    if (&other == &motion) {
      is_behind = true;
      continue;
    }
    if (!is_behind || !other.is_due()) continue;
    const bool is_joined = last->blend_radius > 0.0 && motion.joined.size() + next.size() + 1 < kMostJoined &&
                           other.stage == Stage::Queued && is_tool_path(other.request) && other.step == 0 &&
                           other.arm == motion.arm && other.request.frame != RequestFrame::Tool &&
                           text_of(other.request.who) == text_of(motion.request.who);
    if (!is_joined) break;
    next.push_back(&other);
    last = &other.request;
  }
  return next;
}

void MotionService::join(Motion& motion, std::span<Motion* const> next, const PlannedMoves& planned,
                         std::int64_t now_ns) {
  for (Motion* other : next) {
    motion.joined.push_back({.number = other->number, .request = other->request});
    answer(*other, ReplyStatus::Accepted, fmt::format("request {} runs into it", motion.number), now_ns);
    // from now on it is a part of the other
    other->is_over = true;
  }
  motion.part_end = planned.spans.front().end;
  for (std::size_t i = 0; i < motion.joined.size(); ++i) motion.joined[i].end = planned.spans[i + 1].end;
}

// Where its corner is half cut it is done, and what it runs into takes its place.
void MotionService::pass_joined(Motion& motion, double time, std::int64_t now_ns) {
  while (!motion.joined.empty() && time >= motion.part_end) {
    answer(motion.number, ReplyStatus::Done,
           fmt::format("passed on the way to request {}", motion.joined.front().number), now_ns);
    JoinedRequest next = std::move(motion.joined.front());
    motion.joined.erase(motion.joined.begin());
    motion.number = next.number;
    motion.request = next.request;
    motion.part_end = next.end;
    motion.counted_from.clear();
    if (const auto goal = motion.arm->goal_of(motion.request, robot_.sent())) motion.goal = *goal;
  }
}

}  // namespace sinew
