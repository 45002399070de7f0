// SPDX-License-Identifier: BSD-3-Clause
// Trajectories that others give: begun only when all of them is well, and watched on the way.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"
#include "sinew/base/text.h"
#include "sinew/motion/motion_service.h"
#include "sinew/motion/way_check.h"

namespace sinew {
namespace {

bool is_tolerance(double value) {
  return std::isfinite(value) && value >= 0.0;
}

}  // namespace

void MotionService::take_trajectory(std::uint64_t number, const Request& request, std::int64_t now_ns) {
  Motion motion{.number = number, .request = request};
  auto points = trajectories_.find(text_of(request.who), request.number);
  if (!points) return refuse(motion, points.error().message, now_ns);
  motion.points = *std::move(points);
  take_move(std::move(motion), now_ns);
}

Status MotionService::check_points(Motion& motion) const {
  const TimedPoints& points = *motion.points;
  motion.joint_mask = points.joint_mask;
  const auto is_bad = [](double value) { return !is_tolerance(value); };
  if (std::ranges::any_of(points.path_tolerance, is_bad) ||
      std::ranges::any_of(points.goal_tolerance, is_bad) || is_bad(points.goal_time_tolerance))
    return Error{ErrorCode::InvalidInput, "a tolerance of the trajectory is negative or no finite number"};
  return check_enabled(motion.joint_mask);
}

// From where the joints rest now.
bool MotionService::plan_points(Motion& motion, std::int64_t now_ns) {
  auto trajectory = trajectory_through(*motion.points, model_, robot_.sent());
  if (!trajectory) {
    refuse(motion, trajectory.error().message, now_ns);
    return false;
  }
  const Posture others = posture_of_others(motion);
  const auto conflict = first_conflict(
      model_, *routes_, {.trajectory = *trajectory, .joint_mask = motion.joint_mask, .others = others});
  if (conflict) {
    answer(motion, ReplyStatus::Blocked, fmt::format("{}, at {:.2f} s", conflict->words, conflict->time),
           now_ns);
    return false;
  }
  Posture goal = others;
  std::size_t k = 0;
  for (std::size_t i = 0; i < goal.size(); ++i)
    if ((motion.joint_mask >> i & 1) != 0) goal[i] = trajectory->at(k++, trajectory->length()).value;
  motion.stops = {std::move(goal)};
  set_way(motion, *std::move(trajectory), now_ns);
  return true;
}

// Ends a motion whose joints are not where they were sent; answers whether it did.
bool MotionService::end_if_strayed(Motion& motion, std::int64_t now_ns) {
  if (!motion.points) return false;
  for (std::size_t i = 0; i < home_.size(); ++i) {
    const double bound = motion.points->path_tolerance[i];
    if ((motion.joint_mask >> i & 1) == 0 || bound == 0.0) continue;
    const double off = robot_.measured()[i] - robot_.sent()[i];
    if (std::abs(off) <= bound) continue;
    end(motion, ReplyStatus::Strayed,
        fmt::format("joint '{}' is {:.4g} from where it was sent; the path tolerance is {:.4g}",
                    model_.joints[model_.positions[i]].name, off, bound),
        now_ns);
    return true;
  }
  return false;
}

// Answers whether it is over.
bool MotionService::settle_trajectory(Motion& motion, std::int64_t now_ns) {
  const TimedPoints& points = *motion.points;
  std::size_t worst = 0;
  double excess = 0.0;
  bool is_near = robot_.rests(motion.joint_mask);
  for (std::size_t i = 0; i < home_.size(); ++i) {
    if ((motion.joint_mask >> i & 1) == 0) continue;
    const double distance = std::abs(robot_.measured()[i] - motion.stops.back()[i]);
    const double off = distance / goal_tolerance(points, i);
    // where nobody asked for more, as with other motions: encoders may be coarser than the tolerance
    is_near = is_near && distance <= (points.goal_tolerance[i] > 0.0 ? points.goal_tolerance[i]
                                                                     : settings_.rough_tolerance);
    if (off <= excess) continue;
    excess = off;
    worst = i;
  }
  if (excess <= 1.0 && robot_.rests(motion.joint_mask)) {
    answer(motion, ReplyStatus::Done, "reached", now_ns);
    return true;
  }
  const std::int64_t most_ns = points.goal_time_tolerance > 0.0
                                   ? nanoseconds_from_seconds(points.goal_time_tolerance)
                                   : settings_.settle_ns;
  if (now_ns - motion.stage_ns <= most_ns) return false;
  if (is_near) {
    answer(motion, ReplyStatus::Done,
           fmt::format("reached; joint '{}' rests {:.4f} from where it was sent",
                       model_.joints[model_.positions[worst]].name,
                       std::abs(robot_.measured()[worst] - motion.stops.back()[worst])),
           now_ns);
    return true;
  }
  answer(motion, ReplyStatus::Strayed,
         fmt::format("joint '{}' is {:.4g} from its goal {} after the end; the goal tolerance is {:.4g}",
                     model_.joints[model_.positions[worst]].name,
                     robot_.measured()[worst] - motion.stops.back()[worst], duration_text(most_ns),
                     goal_tolerance(points, worst)),
         now_ns);
  return true;
}

double MotionService::goal_tolerance(const TimedPoints& points, std::size_t joint) const {
  const double stated = points.goal_tolerance[joint];
  return stated > 0.0 ? stated : settings_.tolerance;
}

}  // namespace sinew
