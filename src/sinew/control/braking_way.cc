// SPDX-License-Identifier: BSD-3-Clause
#include "sinew/control/braking_way.h"

#include <algorithm>
#include <cmath>

#include "sinew/control/joint_masks.h"

namespace sinew {
namespace {

constexpr double kSame = 1e-12;  // [rad, m]

// The largest acceleration of a motion between two times: it is linear between those when the jerk changes.
double largest_acceleration(const AxisProfile& profile, double begin, double end) {
  double largest = std::max(std::abs(profile.at(begin).acceleration), std::abs(profile.at(end).acceleration));
  for (const ProfilePiece& piece : profile.pieces())
    if (piece.start_time > begin && piece.start_time < end)
      largest = std::max(largest, std::abs(piece.start.acceleration));
  return largest;
}

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
    const bool rests = next[i].velocity == 0.0 && next[i].acceleration == 0.0;
    if (rests) {
      // the pieces of an earlier way may stay where they are
      stops_[i].clear();
      stops_[i].end_at(next[i].position);
    } else {
      stops_[i] = plan_stop(next[i], limits[i]);
    }
    const bool is_still = rests && from[i] == next[i].position;
    // a curve is off its chord by at most its largest second derivative times the square of its length over 8
    bend_[i] = is_still ? 0.0 : limits[i].acceleration * dt * dt / 8.0;
    next_[i] = next[i].position;
    continue_backwards(i, next[i]);
    braking_ = std::max(braking_, stops_[i].duration());
    if (is_still) continue;
    moving_mask_ |= joint_bit(i);
    const PositionRange range = stops_[i].range();
    const double end = stops_[i].end_position();
    const bool turns = range.lowest < std::min(next_[i], end) || range.highest > std::max(next_[i], end);
    if (turns) turning_mask_ |= joint_bit(i);
  }
}

void BrakingWay::continue_backwards(std::size_t joint, const AxisState& next) SINEW_REALTIME {
  jerk_[joint] = 0.0;
  for (const ProfilePiece& piece : stops_[joint].pieces())
    jerk_[joint] = std::max(jerk_[joint], std::abs(piece.jerk));
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
    const AxisProfile& stop = before.stops_[i];
    const double begins = std::abs(from_[i] - stop.position_at(begin));
    drift[i] = begins;
    if (((moving_mask_ | before.moving_mask_) & joint_bit(i)) == 0) continue;
    drift[i] = std::max(begins, most_apart(stop, end, stops_[i]));
    // during the step both are within their bends of a straight line; who brakes as planned goes the same way
    const double ends = std::abs(next_[i] - stop.position_at(end));
    if (std::max(begins, ends) < kSame) continue;
    const double bend = bend_[i] + largest_acceleration(stop, begin, end) * step_ * step_ / 8.0;
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
    part.spread[i] = spread(i, begin, end, centre);
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

// How far the joint is from `centre` at any time between two, at most.
double BrakingWay::spread(std::size_t joint, double begin, double end, double centre) const SINEW_REALTIME {
  const auto away = [&](double position) { return std::abs(position - centre); };
  double most = std::max(away(position(joint, begin)), away(position(joint, end)));
  double bend = 0.0;
  if (begin < step_) {
    bend = bend_[joint];
    if (end > step_) most = std::max(most, away(next_[joint]));
  }
  // who does not turn round is nowhere further away than at one of the ends
  if ((turning_mask_ & joint_bit(joint)) != 0 && end > step_) {
    const double from = std::max(0.0, begin - step_);
    const double length = end - step_ - from;
    bend = std::max(bend, largest_acceleration(stops_[joint], from, from + length) * length * length / 8.0);
  }
  return most + bend;
}

}  // namespace sinew
