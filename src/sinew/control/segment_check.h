// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>

#include "sinew/control/mux.h"
#include "sinew/messages/joints.h"
#include "sinew/trajectory/segment.h"

namespace sinew {

/// Joint `i` of a piece, as a polynomial of its own.
PolynomialSegment polynomial_of(const Segment& piece, std::size_t i) SINEW_REALTIME;

/// When a piece ends (robot time). Only for pieces that check_form() passed.
inline std::int64_t end_of(const Segment& piece) SINEW_REALTIME {
  return piece.start_ns + piece.duration_ns;
}

/// The joints that may be named in a segment.
struct SegmentJoints {
  std::uint64_t all_mask = 0;
  std::uint64_t enabled_mask = 0;
};

/// Whether a piece says something at all: joints that there are, numbers, times. No look at limits.
RefusedInput check_form(const Segment& piece, const SegmentJoints& joints) SINEW_REALTIME;

/// A piece may pass a limit of velocity, acceleration or jerk by this share of it: room for times in whole
/// nanoseconds in motions that use the limits in full.
inline constexpr double kTimeRounding = 1e-6;

/// Every instant of it against position, velocity, acceleration and jerk limits, one entry for each joint of
/// the robot.
RefusedInput check_limits(const Segment& piece, std::span<const AxisLimits> limits) SINEW_REALTIME;

/// By how much two pieces may miss each other where they join, as a share of the jerk limit: as large a step
/// of position, velocity or acceleration as that share of the jerk, over one, two or three cycles, would make
/// of it. So a join adds at most this share three times to the jerk that is seen from cycle to cycle.
/// Rounding comes on top of it (1e-12 of the position, 1e-9 of the limits).
inline constexpr double kJoinShare = 0.01;

/// Whether joint `joint` may go on from the state `before` to `after`, at the same instant. `period`: of the
/// cycle [s].
RefusedInput check_join(std::size_t joint, const AxisState& before, const AxisState& after,
                        const AxisLimits& limits, double period) SINEW_REALTIME;

}  // namespace sinew
