// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/control/braking_way.h"

#include <algorithm>
#include <cmath>

#include "sinew/control/joint_masks.h"
#include "sinew/trajectory/jerk_limited.h"

namespace sinew {
namespace {

constexpr double kSame = 1e-12;  // [rad, m]

}  // namespace

void BrakingWay::plan(std::span<const double> from, std::span<const AxisState> next,
                      std::span<const AxisLimits> limits, double dt) SINEW_REALTIME {
  count_ = from.size();
  moving_mask_ = 0;
  turning_mask_ = 0;
  step_ = dt;
  braking_ = 0.0;
  for (std::size_t i = 0; i < count_; ++i) {
    from_[i] = from[i];
    next_[i] = next[i].position;
    plan_joint(i, next[i], limits[i]);
    braking_ = std::max(braking_, stops_[i].duration());
  }
}

void BrakingWay::plan_joint(std::size_t joint, const AxisState& next,
                            const AxisLimits& limits) SINEW_REALTIME {
  const bool rests = next.velocity == 0.0 && next.acceleration == 0.0;
  if (rests) {
    stops_[joint].rest_at(next.position);
    bend_[joint] = 0.0;
    if (from_[joint] == next.position) return;
  } else {
    stops_[joint].set(plan_stop(next, limits));
  }
  moving_mask_ |= joint_bit(joint);
  if (stops_[joint].turns()) turning_mask_ |= joint_bit(joint);
  jerk_[joint] = rests ? 0.0 : limits.jerk;
  // a curve is off its chord by at most its largest second derivative times the square of its length over 8
  bend_[joint] = limits.acceleration * step_ * step_ / 8.0;
  const double before = advance(next, 0.0, -step_).position;
  kink_[joint] =
      std::abs(from_[joint] - before) + std::abs(next.acceleration) * step_ * step_ / 8.0 + bend_[joint];
}

void BrakingWay::drift_from(const BrakingWay& before, double lag,
                            std::span<double> drift) const SINEW_REALTIME {
  // when this way begins, and when its step ends, by the time of the other's braking
  const double begin = std::max(0.0, lag - before.step_);
  const double end = begin + step_;
  for (std::size_t i = 0; i < count_; ++i) {
    const StopCourse& stop = before.stops_[i];
    const double begins = std::abs(from_[i] - stop.position_at(begin));
    drift[i] = begins;
    if (((moving_mask_ | before.moving_mask_) & joint_bit(i)) == 0) continue;
    drift[i] = std::max(begins, most_apart(stop, end, stops_[i]));
    // during the step both are within their bends of a straight line; who brakes as planned goes the same way
    const double ends = std::abs(next_[i] - stop.position_at(end));
    if (std::max(begins, ends) < kSame) continue;
    const double bend = bend_[i] + stop.largest_acceleration(begin, end) * step_ * step_ / 8.0;
    drift[i] = std::max(drift[i], std::max(begins, ends) + bend);
  }
}

void BrakingWay::place(double time, std::span<double> q) const SINEW_REALTIME {
  std::copy_n(from_.begin(), count_, q.begin());
  for_each_joint(moving_mask_, [&](std::size_t i) { q[i] = position(i, time); });
}

double BrakingWay::position(std::size_t joint, double time) const SINEW_REALTIME {
  if (time >= step_) return stops_[joint].position_at(time - step_);
  return from_[joint] + (next_[joint] - from_[joint]) * (time / step_);
}

void BrakingWay::sample(double begin, double end, std::uint64_t mask,
                        const WaySample& part) const SINEW_REALTIME {
  const double middle = 0.5 * (begin + end);
  for_each_joint(mask & ~moving_mask_, [&](std::size_t i) {
    part.middle[i] = from_[i];
    part.spread[i] = 0.0;
    part.courses[i] = {};
  });
  for_each_joint(mask & moving_mask_, [&](std::size_t i) {
    const double centre = position(i, middle);
    const double first = position(i, begin) - centre;
    const double last = position(i, end) - centre;
    part.middle[i] = centre;
    part.spread[i] = std::max(std::max(std::abs(first), std::abs(last)), corner(i, begin, end, centre)) +
                     bend(i, begin, end);
    part.courses[i] = {
        .chord = 0.5 * (last - first), .bow = 0.5 * (first + last), .rest = rest(i, begin, end)};
  });
}

// A curve is off the parabola through its begin, middle and end by at most its largest third derivative times
// the cube of its length over 72 * sqrt(3). Where it is itself only known to within some error, that counts
// once, and by up to 5/4 in the parabola.
double BrakingWay::rest(std::size_t joint, double begin, double end) const SINEW_REALTIME {
  constexpr double kOffParabola = 0.0080188;
  constexpr double kErrors = 2.25;
  const double length = end - begin;
  double most =
      begin < step_ + stops_[joint].duration() ? kOffParabola * jerk_[joint] * length * length * length : 0.0;
  if (begin < step_) most += kErrors * kink_[joint];
  return most;
}

// How far from `centre` the step meets the way to a stop; zero where it does so at another time.
double BrakingWay::corner(std::size_t joint, double begin, double end, double centre) const SINEW_REALTIME {
  return begin < step_ && end > step_ ? std::abs(next_[joint] - centre) : 0.0;
}

// How much further the joint is from anywhere between two times than at these and at the corner, at most.
double BrakingWay::bend(std::size_t joint, double begin, double end) const SINEW_REALTIME {
  const double of_step = begin < step_ ? bend_[joint] : 0.0;
  // who does not turn round is nowhere further away than at one of the ends
  if ((turning_mask_ & joint_bit(joint)) == 0 || end <= step_) return of_step;
  const double from = std::max(0.0, begin - step_);
  const double length = end - step_ - from;
  return std::max(of_step, stops_[joint].largest_acceleration(from, from + length) * length * length / 8.0);
}

}  // namespace sinew
