// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/trajectory/joint_motion.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "sinew/base/assert.h"

namespace sinew {
namespace {

// each joint has a few intervals of times that are not possible, and each round leaves one behind
constexpr int kMostAgreements = 4 * static_cast<int>(kMaxAxes);

// pieces shorter than this are rounding
constexpr double kShortestPiece = 1e-12;  // [s]

MotionVerdict refusal(const AxisTransition& transition, std::size_t joint,
                      const MotionRequest& request) noexcept {
  const AxisLimits& limits = request.limits[joint];
  switch (transition.fault()) {
    case TransitionFault::TargetVelocity:
      return {TransitionFault::TargetVelocity, joint, request.to[joint].velocity, limits.velocity};
    case TransitionFault::TargetAcceleration:
      return {TransitionFault::TargetAcceleration, joint, request.to[joint].acceleration, 0.0};
    default:
      return {transition.fault(), joint, 0.0, 0.0};
  }
}

MotionVerdict check_range(const AxisProfile& profile, std::size_t joint, const AxisLimits& limits) noexcept {
  if (std::isinf(limits.lower) && std::isinf(limits.upper)) return {};
  const PositionRange range = profile.range();
  const double slack = kSegmentTolerance * std::max(1.0, std::abs(range.highest - range.lowest));
  if (range.highest > limits.upper + slack) {
    return {TransitionFault::Position, joint, range.highest, limits.upper};
  }
  if (range.lowest < limits.lower - slack) {
    return {TransitionFault::Position, joint, range.lowest, limits.lower};
  }
  return {};
}

}  // namespace

MotionVerdict JointMotion::take(const MotionRequest& request) noexcept {
  const std::size_t count = request.from.size();
  if (count == 0 || count > kMaxAxes || request.to.size() != count || request.limits.size() != count ||
      !(request.least_duration >= 0.0) || !is_usable(request.least_duration)) {
    return {.fault = TransitionFault::NotUsable};
  }
  for (std::size_t i = 0; i < count; ++i) {
    transitions_[i] = AxisTransition(request.from[i], request.to[i], request.limits[i]);
    if (transitions_[i].fault() != TransitionFault::None) return refusal(transitions_[i], i, request);
  }
  joint_count_ = count;
  return {};
}

// Beginning with the joint that seems to be slowest, the time is most often possible for all the others, none
// of which then needs its own shortest to be found. Whatever the order, the time is the first that all take.
MotionVerdict JointMotion::synchronise(double least_duration) noexcept {
  std::size_t slowest = 0;
  double longest = -1.0;
  for (std::size_t i = 0; i < joint_count_; ++i) {
    const double estimate = transitions_[i].estimated_fastest();
    if (!(estimate > longest)) continue;
    longest = estimate;
    slowest = i;
  }
  duration_ = transitions_[slowest].next_possible(least_duration);
  std::size_t joint = slowest;
  std::size_t planned = 0;
  std::size_t refused = slowest;
  int longer = 0;
  for (; planned < joint_count_ && longer < kMostAgreements;
       joint = joint + 1 < joint_count_ ? joint + 1 : 0) {
    if (transitions_[joint].plan_motion(duration_, profiles_[joint])) {
      ++planned;
      continue;
    }
    refused = joint;
    duration_ = transitions_[joint].next_possible(duration_);
    planned = transitions_[joint].plan_motion(duration_, profiles_[joint]) ? 1 : 0;
    ++longer;
  }
  if (planned == joint_count_) return {};
  return {.fault = TransitionFault::NotUsable, .joint = refused};
}

MotionVerdict JointMotion::plan(const MotionRequest& request) noexcept {
  joint_count_ = 0;
  duration_ = 0.0;
  const MotionVerdict taken = take(request);
  if (!taken) return taken;
  MotionVerdict verdict = synchronise(request.least_duration);
  if (!verdict) {
    joint_count_ = 0;
    return verdict;
  }
  for (std::size_t i = 0; i < joint_count_; ++i) {
    if (verdict) verdict = check_range(profiles_[i], i, request.limits[i]);
  }
  return verdict;
}

void JointMotion::sample(double time, std::span<AxisState> states) const noexcept {
  SINEW_ASSERT(states.size() >= joint_count_);
  for (std::size_t i = 0; i < joint_count_; ++i) states[i] = profiles_[i].at(time);
}

Trajectory JointMotion::trajectory() const {
  std::vector<double> times;
  for (std::size_t i = 0; i < joint_count_; ++i) {
    for (const ProfilePiece& piece : profiles_[i].pieces()) times.push_back(piece.start_time);
  }
  times.push_back(duration_);
  std::sort(times.begin(), times.end());

  Trajectory trajectory(joint_count_);
  trajectory.reserve(times.size());
  std::vector<Coefficients> piece(joint_count_);
  double begin = 0.0;
  for (const double end : times) {
    if (end - begin < kShortestPiece) continue;
    for (std::size_t i = 0; i < joint_count_; ++i) {
      // the middle is inside a stretch of constant jerk, whatever rounding does to its ends
      const AxisState state = profiles_[i].at(begin);
      const double jerk = profiles_[i].jerk_at(begin + (end - begin) / 2.0);
      piece[i] = {state.position, state.velocity, state.acceleration / 2.0, jerk / 6.0, 0.0, 0.0};
    }
    trajectory.append(end - begin, piece);
    begin = end;
  }
  return trajectory;
}

Status motion_status(const MotionVerdict& verdict, std::span<const std::string> names) {
  const std::string joint =
      verdict.joint < names.size() ? names[verdict.joint] : fmt::format("{}", verdict.joint + 1);
  const auto beyond = [&](std::string_view what, std::string_view remedy) {
    return Error{ErrorCode::OutOfLimits, fmt::format("joint '{}': {} {:.6g} is beyond {:.6g}; {}", joint,
                                                     what, verdict.value, verdict.bound, remedy)};
  };
  switch (verdict.fault) {
    case TransitionFault::None:
      return Done{};
    case TransitionFault::NotUsable:
      return Error{
          ErrorCode::InvalidInput,
          fmt::format("joint '{}': states, limits and durations must be numbers, one for each of 1 to {} "
                      "joints",
                      joint, kMaxAxes)};
    case TransitionFault::TargetVelocity:
      return beyond("the velocity [rad/s, m/s] at the target", "ask for less");
    case TransitionFault::TargetAcceleration:
      return beyond("the acceleration [rad/s², m/s²] at the target", "ask for none");
    case TransitionFault::Position:
      return beyond("on its way the position [rad, m]", "stop first, or choose another way");
  }
  return Done{};
}

}  // namespace sinew
