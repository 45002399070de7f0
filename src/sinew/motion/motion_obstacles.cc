// SPDX-License-Identifier: BSD-3-Clause
// What becomes of motions under way when something comes into their way.
#include <algorithm>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"
#include "sinew/motion/motion_service.h"
#include "sinew/motion/way_check.h"

namespace sinew {
namespace {

/// How fast towards something that is in the way, by how far off it is [s] of the motion as planned.
constexpr double kFarOff = 2.0;
constexpr double kFarRate = 0.5;
constexpr double kNear = 1.0;
constexpr double kNearRate = 0.25;

}  // namespace

// The world has changed: the rest of each way is looked at again.
void MotionService::look_at_ways(std::int64_t now_ns) {
  for (Motion& motion : queue_.all()) {
    if (motion.is_over || motion.stage != Stage::Moving || motion.replans) continue;
    const Trajectory& trajectory = motion.planned ? *motion.planned : motion.playback.trajectory();
    const Posture others = posture_of_others(motion);
    const auto conflict = first_conflict(model_, *routes_,
                                         {.trajectory = trajectory,
                                          .joint_mask = motion.joint_mask,
                                          .from = motion.planned ? 0.0 : motion.progress.nominal_at(now_ns),
                                          .others = others});
    if (conflict) {
      give_way(motion, *conflict, now_ns);
    } else {
      motion.conflict.reset();
    }
  }
  sweep(now_ns);
}

void MotionService::give_way(Motion& motion, const WayConflict& conflict, std::int64_t now_ns) {
  const bool may_replan = !motion.given && !motion.points;
  if (settings_.on_obstacle == OnObstacle::Slow) {
    // a world that changes elsewhere does not begin the waiting anew
    if (!motion.conflict) motion.waits_since_ns = now_ns;
    motion.conflict = conflict;
    return;
  }
  if (settings_.on_obstacle == OnObstacle::Replan && may_replan) {
    answer(motion, ReplyStatus::Accepted,
           fmt::format("something has come into its way: {}; it stops and looks for another way",
                       conflict.words),
           now_ns);
    if (motion.planned) return plan_again(motion, now_ns);
    motion.replans = true;
    motion.playback.end_early();
    return;
  }
  end(motion, ReplyStatus::Blocked,
      fmt::format("something has come into its way: {}; it stops before it", conflict.words), now_ns);
  // who has planned it may plan another
  if (settings_.on_obstacle == OnObstacle::Replan && motion.step != 0 && !motion.may_fall_short)
    collected_.step_replies.back().wants_other_way = true;
}

// The share of its speed at which a motion runs now; it slows down towards what is in its way, and stands
// before it.
double MotionService::rate_of(const Motion& motion, std::int64_t now_ns) const {
  if (is_held_back(motion, now_ns)) return 0.0;
  if (!motion.conflict) return rate();
  const double left = motion.conflict->time - motion.progress.nominal_at(now_ns);
  const double most = left > kFarOff ? kFarRate : left > kNear ? kNearRate : 0.0;
  return std::min(rate(), most);
}

// Answers whether it has waited for long enough.
bool MotionService::gives_up(Motion& motion, std::int64_t now_ns) {
  if (!motion.conflict) return false;
  const bool is_stopped = is_paused_ || is_held_back(motion, now_ns);
  if (rate_of(motion, now_ns) > 0.0 || is_stopped) motion.waits_since_ns = now_ns;
  if (now_ns - motion.waits_since_ns < settings_.patience_ns) return false;
  end(motion, ReplyStatus::Blocked, fmt::format("something stays in its way: {}", motion.conflict->words),
      now_ns);
  return true;
}

// It has come to rest: from here as if it were asked anew.
void MotionService::plan_again(Motion& motion, std::int64_t now_ns) {
  motion.replans = false;
  motion.has_halted = false;
  motion.planned.reset();
  motion.playback = {};
  motion.progress = {};
  motion.begins = 0;
  motion.stops.clear();
  motion.stage = Stage::Waiting;
  motion.stage_ns = motion.asked_ns = now_ns;
}

}  // namespace sinew
