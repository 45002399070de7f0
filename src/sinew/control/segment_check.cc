// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/control/segment_check.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/time.h"
#include "sinew/control/joint_masks.h"

namespace sinew {
namespace {

constexpr std::int64_t kLongestPiece_ns = 3600 * kSecond_ns;
constexpr std::int64_t kLargestTime_ns = std::int64_t{1} << 62;

constexpr double kPositionRounding = 1e-12;
constexpr double kRounding = 1e-9;

AxisLimits widened(AxisLimits limits) {
  limits.velocity *= 1.0 + kTimeRounding;
  limits.acceleration *= 1.0 + kTimeRounding;
  limits.jerk *= 1.0 + kTimeRounding;
  return limits;
}

RefusedInput refusal_of(const SegmentCheck& check, std::size_t joint, const AxisLimits& limits) {
  const auto refused = [&](Refusal refusal, Quantity quantity, double bound) {
    return RefusedInput{
        .refusal = refusal, .joint = joint, .value = check.value, .bound = bound, .quantity = quantity};
  };
  const auto too_fast = [&](Quantity quantity, double limit) {
    return refused(Refusal::TooFast, quantity, std::copysign(limit, check.value));
  };
  switch (check.fault) {
    case SegmentFault::None:
      return {};
    case SegmentFault::NotUsable:
      return refused(Refusal::NotANumber, Quantity::Position, 0.0);
    case SegmentFault::NoDuration:
      return refused(Refusal::BadValue, Quantity::Time, check.bound);
    case SegmentFault::Position:
      return refused(Refusal::OutOfLimits, Quantity::Position, check.bound);
    case SegmentFault::Velocity:
      return too_fast(Quantity::Velocity, limits.velocity);
    case SegmentFault::Acceleration:
      return too_fast(Quantity::Acceleration, limits.acceleration);
    case SegmentFault::Jerk:
      return too_fast(Quantity::Jerk, limits.jerk);
  }
  return {};
}

}  // namespace

PolynomialSegment polynomial_of(const Segment& piece, std::size_t i) SINEW_REALTIME {
  return {.time = {.start_ns = piece.start_ns, .duration_ns = piece.duration_ns},
          .coefficient = {piece.c0[i], piece.c1[i], piece.c2[i], piece.c3[i], piece.c4[i], piece.c5[i]}};
}

RefusedInput check_form(const Segment& piece, const SegmentJoints& joints) SINEW_REALTIME {
  const std::uint64_t mask = piece.joint_mask;
  if (mask == 0 || (mask & ~joints.all_mask) != 0) return {.refusal = Refusal::UnknownJoint};
  if ((mask & ~joints.enabled_mask) != 0) {
    return {.refusal = Refusal::NotEnabled,
            .joint = static_cast<std::size_t>(std::countr_zero(mask & ~joints.enabled_mask))};
  }
  const bool has_time = piece.duration_ns > 0 && piece.duration_ns <= kLongestPiece_ns &&
                        piece.start_ns >= 0 && piece.start_ns < kLargestTime_ns;
  if (!has_time || piece.motion == 0 || piece.is_last > 1) return {.refusal = Refusal::BadValue};
  RefusedInput refused;
  for_each_joint(mask, [&](std::size_t i) {
    for (const double c : polynomial_of(piece, i).coefficient)
      if (!std::isfinite(c)) refused = {.refusal = Refusal::NotANumber, .joint = i, .value = c};
  });
  return refused;
}

RefusedInput check_limits(const Segment& piece, std::span<const AxisLimits> limits) SINEW_REALTIME {
  RefusedInput refused;
  for_each_joint(piece.joint_mask, [&](std::size_t i) {
    if (refused) return;
    refused = refusal_of(check_segment(polynomial_of(piece, i), widened(limits[i])), i, limits[i]);
  });
  return refused;
}

RefusedInput check_join(std::size_t joint, const AxisState& before, const AxisState& after,
                        const AxisLimits& limits, double period) SINEW_REALTIME {
  const double share = kJoinShare * limits.jerk * period;
  const auto misses = [&](Quantity quantity, double from, double to, double tolerance) {
    // the comparison is false for NaN
    if (std::abs(to - from) <= tolerance) return RefusedInput{};
    return RefusedInput{
        .refusal = Refusal::DoesNotJoin, .joint = joint, .value = to, .bound = from, .quantity = quantity};
  };
  if (auto refused =
          misses(Quantity::Position, before.position, after.position,
                 share * period * period + kPositionRounding * std::max(1.0, std::abs(before.position))))
    return refused;
  if (auto refused = misses(Quantity::Velocity, before.velocity, after.velocity,
                            share * period + kRounding * limits.velocity))
    return refused;
  return misses(Quantity::Acceleration, before.acceleration, after.acceleration,
                share + kRounding * limits.acceleration);
}

}  // namespace sinew
