// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/trajectory/trajectory_check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

namespace sinew {
namespace {

TrajectoryFault fault_of(SegmentFault fault) noexcept {
  switch (fault) {
    case SegmentFault::None:
      return TrajectoryFault::None;
    case SegmentFault::Position:
      return TrajectoryFault::Position;
    case SegmentFault::Velocity:
      return TrajectoryFault::Velocity;
    case SegmentFault::Acceleration:
      return TrajectoryFault::Acceleration;
    case SegmentFault::Jerk:
      return TrajectoryFault::Jerk;
    case SegmentFault::NotUsable:
    case SegmentFault::NoDuration:
      break;
  }
  return TrajectoryFault::NotUsable;
}

// whether `piece` begins as the one before it ends
TrajectoryCheck check_meeting(const Trajectory& trajectory, std::size_t piece, std::size_t joint,
                              const TrajectoryCheckOptions& options) noexcept {
  const CurvePoint end =
      evaluate(trajectory.polynomial(piece - 1, joint), trajectory.piece_length(piece - 1));
  const CurvePoint begin = evaluate(trajectory.polynomial(piece, joint), 0.0);
  TrajectoryCheck check{.joint = joint, .time = trajectory.knots()[piece]};
  const auto jumps = [&](double before, double after, TrajectoryFault fault) {
    // rounding grows with the size of what is computed
    check.bound = options.tolerance * std::max({1.0, std::abs(before), std::abs(after)});
    check.value = after - before;
    check.fault = std::abs(check.value) <= check.bound ? TrajectoryFault::None : fault;
    return check.fault != TrajectoryFault::None;
  };
  if (jumps(end.value, begin.value, TrajectoryFault::PositionJump)) return check;
  if (jumps(end.first, begin.first, TrajectoryFault::VelocityJump)) return check;
  if (options.allow_acceleration_jumps) return {};
  return jumps(end.second, begin.second, TrajectoryFault::AccelerationJump) ? check : TrajectoryCheck{};
}

struct FaultWords {
  std::string_view what;
  std::string_view unit;
};

FaultWords words_for(TrajectoryFault fault) {
  switch (fault) {
    case TrajectoryFault::Velocity:
    case TrajectoryFault::VelocityJump:
      return {"velocity", "rad/s or m/s"};
    case TrajectoryFault::Acceleration:
    case TrajectoryFault::AccelerationJump:
      return {"acceleration", "rad/s² or m/s²"};
    case TrajectoryFault::Jerk:
      return {"jerk", "rad/s³ or m/s³"};
    default:
      return {"position", "rad or m"};
  }
}

}  // namespace

TrajectoryCheck check_trajectory(const Trajectory& trajectory, std::span<const AxisLimits> limits,
                                 const TrajectoryCheckOptions& options) noexcept {
  const std::size_t joints = trajectory.joint_count();
  if (limits.size() != joints) {
    return {.fault = TrajectoryFault::WrongCount,
            .value = static_cast<double>(limits.size()),
            .bound = static_cast<double>(joints)};
  }
  for (std::size_t piece = 0; piece < trajectory.piece_count(); ++piece) {
    for (std::size_t j = 0; j < joints; ++j) {
      if (piece > 0) {
        const TrajectoryCheck meeting = check_meeting(trajectory, piece, j, options);
        if (!meeting) return meeting;
      }
      const SegmentCheck check =
          check_polynomial(trajectory.polynomial(piece, j), trajectory.piece_length(piece), limits[j]);
      if (check.fault == SegmentFault::None) continue;
      return {.fault = fault_of(check.fault),
              .joint = j,
              .time = trajectory.knots()[piece] + check.time,
              .value = check.value,
              .bound = check.bound};
    }
  }
  return {};
}

Status trajectory_status(const TrajectoryCheck& check, std::span<const std::string> names) {
  const std::string joint =
      check.joint < names.size() ? names[check.joint] : fmt::format("{}", check.joint + 1);
  const FaultWords words = words_for(check.fault);
  switch (check.fault) {
    case TrajectoryFault::None:
      return Done{};
    case TrajectoryFault::NotUsable:
      return Error{
          ErrorCode::InvalidInput,
          fmt::format("joint '{}': at {:.6g} s the trajectory or the joint's limits are no numbers to "
                      "compute with (at most {:g} each); give finite ones",
                      joint, check.time, kLargestValue)};
    case TrajectoryFault::WrongCount:
      return Error{ErrorCode::InvalidInput,
                   fmt::format("limits for {:g} joints, but the trajectory moves {:g}: give one set for each",
                               check.value, check.bound)};
    case TrajectoryFault::PositionJump:
    case TrajectoryFault::VelocityJump:
    case TrajectoryFault::AccelerationJump:
      return Error{ErrorCode::InvalidInput,
                   fmt::format("joint '{}': {} jumps by {:.6g} {} at {:.6g} s, at most {:.6g} is rounding; "
                               "let each piece begin as the one before ends",
                               joint, words.what, check.value, words.unit, check.time, check.bound)};
    default:
      return Error{
          ErrorCode::OutOfLimits,
          fmt::format("joint '{}': {} {:.6g} {} at {:.6g} s passes its limit {:.6g}; take more time or "
                      "another way",
                      joint, words.what, check.value, words.unit, check.time, check.bound)};
  }
}

double needed_stretch(const Trajectory& trajectory, std::size_t piece,
                      std::span<const AxisLimits> limits) noexcept {
  std::array<double, 3> excess = {1.0, 1.0, 1.0};
  for (std::size_t j = 0; j < std::min(trajectory.joint_count(), limits.size()); ++j) {
    const PolynomialPeaks bounds =
        peak_bounds(trajectory.polynomial(piece, j), trajectory.piece_length(piece));
    // most joints are far from their limits, and no peak needs to be found
    if (bounds.velocity <= limits[j].velocity && bounds.acceleration <= limits[j].acceleration &&
        bounds.jerk <= limits[j].jerk)
      continue;
    const PolynomialPeaks peaks =
        polynomial_peaks(trajectory.polynomial(piece, j), trajectory.piece_length(piece));
    excess[0] = std::max(excess[0], peaks.velocity / limits[j].velocity);
    excess[1] = std::max(excess[1], peaks.acceleration / limits[j].acceleration);
    excess[2] = std::max(excess[2], peaks.jerk / limits[j].jerk);
  }
  return std::max({excess[0], std::sqrt(excess[1]), std::cbrt(excess[2])});
}

double needed_stretch(const Trajectory& trajectory, std::span<const AxisLimits> limits) noexcept {
  double needed = 1.0;
  for (std::size_t piece = 0; piece < trajectory.piece_count(); ++piece)
    needed = std::max(needed, needed_stretch(trajectory, piece, limits));
  return needed;
}

}  // namespace sinew
