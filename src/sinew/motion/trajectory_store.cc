// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/motion/trajectory_store.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "sinew/base/fixed_string.h"

namespace sinew {
namespace {

/// Numbers that each point has in a part.
std::size_t point_size(const TrajectoryPart& part) {
  const auto joints = static_cast<std::size_t>(std::popcount(part.joint_mask));
  const std::size_t arrays =
      1 + ((part.content & kHasVelocities) != 0 ? 1 : 0) + ((part.content & kHasAccelerations) != 0 ? 1 : 0);
  return 1 + arrays * joints;
}

std::string fault_of(const TrajectoryPart& part) {
  if (part.joint_mask == 0) return "its joint_mask names no joint";
  if (part.content > (kHasVelocities | kHasAccelerations) || part.content == kHasAccelerations)
    return fmt::format("content {} cannot be: 0, 1 (velocities) or 3 (and accelerations)", part.content);
  if (part.total == 0 || part.total > kMaxTrajectoryPoints)
    return fmt::format("it has {} points: 1 to {}", part.total, kMaxTrajectoryPoints);
  if (part.count > part.values.size() / point_size(part))
    return fmt::format("a part says that it holds {} points: at most {} fit", part.count,
                       part.values.size() / point_size(part));
  if (part.first > part.total || part.count > part.total - part.first)
    return fmt::format("a part holds points {} to {} of {}", part.first, part.first + part.count, part.total);
  return {};
}

}  // namespace

void TrajectoryStore::take(const TrajectoryPart& part) {
  const std::string_view who = text_of(part.who);
  auto kept = std::ranges::find_if(
      kept_, [&](const Kept& other) { return other.number == part.number && other.who == who; });
  if (kept == kept_.end()) {
    if (kept_.size() == kMostKept) kept_.pop_front();
    kept_.push_back({.who = std::string(who), .number = part.number});
    kept = std::prev(kept_.end());
  }
  if (kept->fault.empty()) kept->fault = fault_of(part);
  if (kept->fault.empty()) fill(*kept, part);
}

void TrajectoryStore::fill(Kept& kept, const TrajectoryPart& part) {
  TimedPoints& trajectory = kept.trajectory;
  if (kept.has_come.empty()) {
    kept.has_come.resize(part.total);
    trajectory = {.joint_mask = part.joint_mask,
                  .content = part.content,
                  .points = std::vector<TimedPoint>(part.total),
                  .path_tolerance = part.path_tolerance,
                  .goal_tolerance = part.goal_tolerance,
                  .goal_time_tolerance = part.goal_time_tolerance};
  }
  if (part.total != kept.has_come.size() || part.joint_mask != trajectory.joint_mask ||
      part.content != trajectory.content) {
    kept.fault = "its parts do not agree on its joints, its points or what is given of them";
    return;
  }
  const auto joints = static_cast<std::size_t>(std::popcount(part.joint_mask));
  const double* value = part.values.data();
  for (std::uint32_t k = 0; k < part.count; ++k) {
    TimedPoint& point = trajectory.points[part.first + k];
    point.time = *value++;
    const auto read = [&](std::vector<double>& values) {
      values.assign(value, value + joints);
      value += joints;
    };
    read(point.position);
    if ((part.content & kHasVelocities) != 0) read(point.velocity);
    if ((part.content & kHasAccelerations) != 0) read(point.acceleration);
    kept.has_come[part.first + k] = true;
  }
}

Result<TimedPoints> TrajectoryStore::find(std::string_view who, std::uint64_t number) const {
  const auto kept = std::ranges::find_if(
      kept_, [&](const Kept& other) { return other.number == number && other.who == who; });
  if (kept == kept_.end())
    return Error{ErrorCode::NotFound,
                 fmt::format("there is no trajectory {} of '{}' on the channel 'trajectory': put its parts "
                             "there before the request",
                             number, who)};
  if (!kept->fault.empty())
    return Error{ErrorCode::InvalidInput, fmt::format("trajectory {} of '{}': {}", number, who, kept->fault)};
  const auto missing = std::ranges::find(kept->has_come, false);
  if (missing != kept->has_come.end())
    return Error{
        ErrorCode::NotFound,
        fmt::format("point {} of trajectory {} of '{}' has not come: put all parts before the request",
                    missing - kept->has_come.begin(), number, who)};
  return kept->trajectory;
}

}  // namespace sinew
