// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sinew/trajectory/axis_profile.h"

namespace sinew {

/// The fastest motion of one axis from `state` to rest at `target` [rad, m] that keeps `limits`.
///
/// `state` may be anything usable, also beyond the limits (because they were lowered while the axis moved):
/// then acceleration and velocity come back inside as fast as the jerk limit allows, and stay. A target
/// beyond `lower` or `upper` counts as the nearest of them. The motion passes neither of them if the axis can
/// stop before, and brakes harder than the fastest motion would where that is what it takes; if it cannot
/// stop before, it comes back.
///
/// What cannot be computed with (NaN, infinities, limits that bound nothing; see is_usable) gives a motion
/// that rests where `state` is, or at zero when even that is no number: callers who may meet such input check
/// it first.
///
/// Closed form but for one root, found by at most 64 guarded Newton steps; does not allocate.
AxisProfile plan_to_rest_at(double target, const AxisState& state, const AxisLimits& limits) SINEW_REALTIME;

/// The fastest motion of one axis from `state` to rest, wherever that is. Keeps the position limits where it
/// can, and takes longer for it where it must. Input as for plan_to_rest_at().
AxisProfile plan_stop(const AxisState& state, const AxisLimits& limits) SINEW_REALTIME;

/// Where plan_stop() comes to rest [rad, m]: minus the position of `state`, the braking distance. The way
/// there is plan_stop(...).at(time), and what it passes is plan_stop(...).range(), which may be more than the
/// two ends.
double stop_position(const AxisState& state, const AxisLimits& limits) SINEW_REALTIME;

}  // namespace sinew
